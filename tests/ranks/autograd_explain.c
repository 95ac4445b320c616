/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_explain.c - graphs and backward passes as text. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/autograd.h>

#include "support/tensors.h"

enum { TEXT_SIZE = 2048 };

/* A sum of tanh(x * w), with x cut by rows and w, a leaf, replicated. */
static dt_tensor *make_loss(fixture *f, dt_tensor **w)
{
    dt_tensor *x = make_tensor(f, "S(0)", DT_F32, DT_SHAPE(8, 3));
    *w = dt_requires_grad(dt_full(f->mesh, "R", DT_F32, DT_SHAPE(1, 3), 0.5));
    return dt_sum(dt_tanh(dt_mul(x, *w)), DT_DIMS(), false);
}

static void graphs_are_described(dt_world *world)
{
    fixture f = open_fixture(world);
    char text[TEXT_SIZE];
    size_t length = 0;
    dt_tensor *w, *loss = make_loss(&f, &w);
    CHECK_OK(world, dt_tensor_graph_format(loss, DT_GRAPH_TEXT, text,
                                           sizeof text, &length));
    CHECK_TEXT(text, "#1 leaf f32[1, 3] R\n"
                     "#2 mul(f32[8, 3] S(0), #1) -> f32[8, 3] S(0); saves self"
                     "\n"
                     "#3 tanh(#2) -> f32[8, 3] S(0); saves the result\n"
                     "#4 sum(#3) -> f32[] P(sum)\n");
    CHECK_INT((int)length, (int)strlen(text));
    CHECK_OK(world, dt_backward(loss));
    CHECK_OK(world, dt_tensor_graph_format(loss, DT_GRAPH_TEXT, text,
                                           sizeof text, NULL));
    CHECK(strstr(text, "saves self (released)\n") != NULL);
    CHECK_OK(world, dt_tensor_graph_format(w, DT_GRAPH_TEXT, NULL, 0, &length));
    CHECK_INT((int)length, (int)strlen("#1 leaf f32[1, 3] R\n"));
    close_without_errors(&f);
}

static void graphs_are_drawn(dt_world *world)
{
    fixture f = open_fixture(world);
    char text[TEXT_SIZE];
    dt_tensor *x =
        dt_requires_grad(dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(8)));
    dt_tensor *square = dt_mul(x, x);
    CHECK_OK(world, dt_tensor_graph_format(square, DT_GRAPH_DOT, text,
                                           sizeof text, NULL));
    CHECK_TEXT(text, "digraph gradients {\n"
                     "  node [shape=ellipse];\n"
                     "  n1 [label=\"leaf\\nf32[8] S(0)\", shape=box];\n"
                     "  n2 [label=\"mul\\nf32[8] S(0)\"];\n"
                     "  n1 -> n2;\n"
                     "  n1 -> n2;\n"
                     "}\n");
    CHECK_FAILS(world,
                dt_tensor_graph_format(square, (dt_graph_style)7, text,
                                       sizeof text, NULL),
                DT_ERR_INVALID, "no style 7");
    dt_tensor *plain = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(8));
    CHECK_OK(world, dt_tensor_graph_format(plain, DT_GRAPH_TEXT, text,
                                           sizeof text, NULL));
    CHECK_TEXT(text, "");
    close_fixture(&f);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* The only collective is that of the leaf, once, whatever the number of
 * ranks. */
static void passes_are_explained(dt_world *world)
{
    fixture f = open_fixture(world);
    char text[TEXT_SIZE];
    dt_tensor *w, *loss = make_loss(&f, &w);
    CHECK_OK(world, dt_explain_backward(loss, text, sizeof text, NULL));
    const char *leaf = strstr(text, "  leaf f32[1, 3] R\n");
    CHECK(strstr(text, "backward of f32[] P(sum)\n") == text);
    CHECK(strstr(text, "\ntanh(f32[8, 3] S(0)) -> f32[8, 3] S(0)\n"
                       "    tanh_backward(R, S(0)) -> S(0)\n") != NULL);
    CHECK(leaf != NULL);
    CHECK(leaf && strstr(leaf, "redistribute(P(sum)) -> R") != NULL);
    CHECK((strstr(text, "redistribute(P(sum)) -> R; 1 all-reduce, ") != NULL) ==
          (dt_world_size(world) > 1));
    CHECK_INT(count_of(text, "all-"), dt_world_size(world) > 1);
    /* Nothing has changed. */
    CHECK(dt_tensor_grad(w) == NULL);
    CHECK_OK(world, dt_backward(loss));
    CHECK(dt_tensor_grad(w) != NULL);
    CHECK_FAILS(world, dt_explain_backward(loss, text, sizeof text, NULL),
                DT_ERR_INVALID, "released");
    /* Calls are recorded again. */
    CHECK(dt_tensor_requires_grad(dt_mul(w, w)));
    close_fixture(&f);
}

static dt_tensor *refuse(dt_tensor *gradient, void *arg)
{
    (void)gradient;
    (void)arg;
    return NULL;
}

static void explanations_call_no_hooks(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *w;
    size_t length = 0;
    make_loss(&f, &w);
    dt_tensor *several = dt_mul(w, w);
    CHECK_OK(world, dt_tensor_add_hook(w, refuse, NULL, NULL));
    CHECK_OK(world, dt_tensor_add_leaf_hook(w, refuse, NULL, NULL));
    CHECK_OK(world, dt_explain_backward(several, NULL, 0, &length));
    CHECK(length > 0);
    close_without_errors(&f);
}

static dt_status square(dt_world *world, dt_tensor *const *inputs,
                        int input_count, dt_tensor **outputs, int output_count,
                        void *arg)
{
    (void)input_count;
    (void)output_count;
    (void)arg;
    outputs[0] = dt_mul(inputs[0], inputs[0]);
    return outputs[0] ? DT_OK : dt_world_error(world)->code;
}

/* A section runs again while its gradients are explained. */
static void sections_are_explained(dt_world *world)
{
    fixture f = open_fixture(world);
    char text[TEXT_SIZE];
    dt_tensor *w, *squared = NULL;
    make_loss(&f, &w);
    CHECK_OK(world, dt_checkpoint(square, &w, 1, &squared, 1, NULL));
    dt_tensor *sum = dt_sum(squared, DT_DIMS(), false);
    CHECK_OK(world, dt_explain_backward(sum, text, sizeof text, NULL));
    CHECK(strstr(text, "  leaf f32[1, 3] R\n") != NULL);
    CHECK(dt_tensor_grad(w) == NULL);
    CHECK_OK(world, dt_backward(sum));
    const double wanted[] = {1, 1, 1};
    check_values(dt_tensor_grad(w), wanted, 3);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"graphs are described", graphs_are_described},
    {"graphs are drawn", graphs_are_drawn},
    {"passes are explained", passes_are_explained},
    {"explanations call no hooks", explanations_call_no_hooks},
    {"sections are explained", sections_are_explained},
    {NULL, NULL},
};
