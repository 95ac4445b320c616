/* tensor/remember.h - what a call on a mesh tells the history of the mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_REMEMBER_H
#define DTI_TENSOR_REMEMBER_H

#include <string.h>

#include <dtensor/number.h>

#include "comm/comm.h"
#include "layout/spec.h"
#include "tensor/tensor.h"

/*
 * A call begins to be remembered, keeps its arguments one by one, and ends:
 * then it is part of the history.  `add(x, y, alpha=2)` keeps the specs of x
 * and y and the number 2.  Arguments must agree among the ranks: they are
 * folded into the word of the mesh.  An argument is its name, its kind with a
 * count, and its value; where words run out it is folded and not kept.
 *
 * This is part of every dispatch, and must take a few nanoseconds.
 */
typedef enum dti_field {
    DTI_FIELD_NONE,   /* an absent argument */
    DTI_FIELD_SPEC,   /* the hash of a spec */
    DTI_FIELD_TENSOR, /* the same, and `born`; the count is 1 + place in a list
                       */
    DTI_FIELD_INTEGER,
    DTI_FIELD_REAL,
    DTI_FIELD_BOOLEAN,
    DTI_FIELD_DTYPE,
    DTI_FIELD_COMPLEX, /* two words: real and imaginary part */
    DTI_FIELD_NUMBERS, /* three words each: a kind and a value's two parts */
    DTI_FIELD_INTEGERS,
    DTI_FIELD_TEXT, /* the count is its length */
} dti_field;

/* A call that is being remembered. */
typedef struct dti_remembering {
    dti_history *history;
    dti_past_call *call;
    uint64_t hash;
} dti_remembering;

/* Fold a word into what must agree; the history mixes the result. */
static inline void dti_remember_fold(dti_remembering *at, uint64_t word)
{
    at->hash = dti_hash_fold(at->hash, word);
}

/* Puts a call that was remembered here into text. */
void dti_remember_describe(dt_world *world, const dti_past_call *call,
                           dti_history_line *out);

/* Begin; `name` lives as long as the world, `hash` is of what agrees besides
 * the arguments that follow. */
static inline dti_remembering dti_remember_begin(dti_history *history,
                                                 const char *name, int form,
                                                 uint64_t hash)
{
    dti_past_call *call = dti_history_next(history);
    call->describe = dti_remember_describe;
    call->subject = name;
    call->form = form;
    return (dti_remembering){history, call, hash};
}

/* Keep the head of an argument with `words` words of value; false if it does
 * not fit. */
static inline bool dti_remember_head(dti_remembering *at, const char *name,
                                     dti_field field, int count, int words)
{
    dti_past_call *call = at->call;
    if (call->count + 2 + words > DTI_PAST_WORDS) {
        call->cut = true;
        return false;
    }
    call->words[call->count++] = (uint64_t)(uintptr_t)name;
    call->words[call->count++] = (uint64_t)field | (uint64_t)count << 8;
    return true;
}

/* Keep a tensor that is part of the hash already; `spec` may be NULL. */
static inline void dti_keep_tensor(dti_remembering *at, const char *name,
                                   int count, const dt_spec *spec,
                                   uint64_t born)
{
    dti_past_call *call = at->call;
    if (!dti_remember_head(at, name, DTI_FIELD_TENSOR, count, 2))
        return;
    call->words[call->count++] = spec ? spec->hash : 0;
    call->words[call->count++] = born;
}

static inline void dti_remember_word(dti_remembering *at, const char *name,
                                     dti_field field, uint64_t word)
{
    dti_remember_fold(at, word);
    if (dti_remember_head(at, name, field, 0, 1))
        at->call->words[at->call->count++] = word;
}

static inline uint64_t dti_real_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void dti_remember_integer(dti_remembering *at, const char *name,
                                        int64_t value)
{
    dti_remember_word(at, name, DTI_FIELD_INTEGER, (uint64_t)value);
}

static inline void dti_remember_real(dti_remembering *at, const char *name,
                                     double value)
{
    dti_remember_word(at, name, DTI_FIELD_REAL, dti_real_bits(value));
}

/* The bits of a number, the real part of a complex one. */
static inline uint64_t dti_number_bits(dt_number value)
{
    return value.kind == DT_KIND_FLOAT || value.kind == DT_KIND_COMPLEX
               ? dti_real_bits(value.as.real)
               : (uint64_t)value.as.integer;
}

static inline void dti_remember_number(dti_remembering *at, const char *name,
                                       dt_number value)
{
    dti_past_call *call = at->call;
    uint64_t bits = dti_number_bits(value);
    dti_field field = value.kind == DT_KIND_FLOAT     ? DTI_FIELD_REAL
                      : value.kind == DT_KIND_BOOLEAN ? DTI_FIELD_BOOLEAN
                      : value.kind == DT_KIND_COMPLEX ? DTI_FIELD_COMPLEX
                                                      : DTI_FIELD_INTEGER;
    at->hash += (uint64_t)field;
    if (DTI_LIKELY(field != DTI_FIELD_COMPLEX)) {
        dti_remember_word(at, name, field, bits);
        return;
    }
    dti_remember_fold(at, bits);
    dti_remember_fold(at, dti_real_bits(value.imaginary));
    if (!dti_remember_head(at, name, field, 0, 2))
        return;
    call->words[call->count++] = bits;
    call->words[call->count++] = dti_real_bits(value.imaginary);
}

/* Fold a tensor: what it is, and which call made it. */
static inline void dti_remember_input(dti_remembering *at, const char *name,
                                      const dt_tensor *tensor)
{
    dti_remember_fold(at, tensor->spec->hash);
    dti_remember_fold(at, tensor->born);
    dti_keep_tensor(at, name, 0, tensor->spec, tensor->born);
}

static inline void dti_remember_spec(dti_remembering *at, const char *name,
                                     const dt_spec *spec)
{
    dti_remember_word(at, name, DTI_FIELD_SPEC, spec->hash);
}

void dti_remember_none(dti_remembering *at, const char *name);
void dti_remember_numbers(dti_remembering *at, const char *name,
                          const dt_number *values, int count);
void dti_remember_integers(dti_remembering *at, const char *name,
                           const int64_t *values, int count);
void dti_remember_text(dti_remembering *at, const char *name, const char *text);

/* End: the call is part of the history. */
static inline void dti_remember_end(const dti_remembering *at)
{
    dti_history_add(at->history, at->call, at->hash);
}

/*
 * Remember a function that is given a tensor, or that makes one, and nothing
 * else that must agree, and let what it sends serve the mesh; nothing on a mesh
 * of one rank.  Gives who was served before, to be set again with
 * dti_comm_serve.
 */
dti_service dti_remember_tensor(const char *name, const dt_tensor *tensor);
dti_service dti_remember_result(const char *name, const dt_spec *spec);

/* Let what is sent serve a mesh, for a function that remembers itself. */
static inline dti_service dti_serve(const dt_mesh *mesh, const char *name)
{
    return dti_comm_serve(
        mesh->world, (dti_service){mesh->history ? name : NULL, mesh->history});
}

#endif
