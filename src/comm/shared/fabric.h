/* comm/shared/fabric.h - ranks that share memory: seats, boards, waiting. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_SHARED_FABRIC_H
#define DTI_COMM_SHARED_FABRIC_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <dtensor/sys/transport.h>

#include "base/attributes.h"
#include "base/machine/event.h"
#include "base/machine/pin.h"
#include "comm/call.h"

/*
 * Seats and boards are flat: no pointers of one rank inside, so that they may
 * lie in memory that several processes map.  What a rank tells the others is
 * written by that rank alone; the others learn of it through an atomic word
 * that is stored last.
 */

/* ---- Seats: one per rank ------------------------------------------------ */

typedef enum dti_seat_state {
    DTI_SEAT_RUNNING, /* zeroed memory is a rank that runs */
    DTI_SEAT_LEFT,    /* its program has returned */
    DTI_SEAT_LOST     /* its process has ended otherwise */
} dti_seat_state;

/* Words of a label, so that it can be read while it is written. */
#define DTI_LABEL_WORDS 4

typedef struct dti_seat {
    /* Changes seldom. */
    alignas(DTI_APART) _Atomic uint32_t state;
    _Atomic uint32_t failed;  /* a dt_status, stored after `failure` */
    _Atomic uint32_t arrived; /* the recovery that it came to last */
    _Atomic uint32_t passed;  /* the one for which it cleared its own part */
    _Atomic uint32_t taken;   /* a process sat down here */
    _Atomic uint32_t awaited; /* another rank slept because of this one */
    dt_error failure;

    /* Ranks whose calls on a mesh differ show each other what they called: one
     * that sees the difference shows its page and asks for those of others. */
    _Atomic uint64_t asks;  /* the id of a mesh; 0: it does not ask */
    _Atomic uint32_t shown; /* stored after `page` */
    dti_history_page page;

    /* Changes with every call: what the rank is seen doing. */
    alignas(DTI_APART) _Atomic uint64_t sequence;
    _Atomic uint64_t what; /* kind, and whether it is inside */
    _Atomic uint64_t label[DTI_LABEL_WORDS]; /* of the line */

    /* Changes when the rank waits for long: for whom, and for which word of a
     * board to reach which value.  The epoch is odd while it waits. */
    alignas(DTI_APART) _Atomic uint64_t epoch;
    _Atomic int32_t waits_for;       /* world rank */
    _Atomic uint32_t until_it_calls; /* it needs the rank to call; else to go on
                                        with a call that both are in */
    _Atomic uint64_t waits_at; /* address of the word, as dti_fabric maps it */
    _Atomic uint64_t waits_value;
} dti_seat;

/* What all ranks share besides boards. */
typedef struct dti_roster {
    alignas(DTI_APART) _Atomic uint32_t alarms; /* seats failed or left */
    alignas(DTI_APART) _Atomic uint32_t wake;   /* ranks in recovery */
    int32_t size;
    alignas(DTI_APART) dti_seat seats[];
} dti_roster;

size_t dti_roster_bytes(int size);

/* ---- Boards: one per line ----------------------------------------------- */

/* Calls of one line that may be under way at once. */
#define DTI_BOARD_DEPTH 4

/*
 * Bytes of input that travel on the board itself: those of a send, which then
 * need not wait for its receiver, and those of other calls, which are read in
 * place as soon as that takes less time than meeting once more.
 */
#define DTI_BOARD_SEND 4096
#define DTI_BOARD_INLINE 512

/*
 * What one member posts for one call.  The sequence number is stored last; it
 * shares its cache line with all that others need of a small call, so that
 * such a call moves one line per peer.
 */
typedef struct dti_post {
    alignas(DTI_APART) dti_call_record record;
    alignas(DTI_APART) _Atomic uint64_t sequence;
    uint64_t fingerprint;
    uint64_t finished;       /* calls that the member had finished by then */
    uint64_t input;          /* name of the buffer; 0: it lies in the payload */
    uint64_t output;         /* name of the buffer, if the input has one */
    unsigned char payload[]; /* counts of an all-to-all, then the input */
} dti_post;

static inline bool dti_post_is_inline(const dti_post *post)
{
    return post->input == 0;
}

typedef struct dti_board_head {
    alignas(DTI_APART) _Atomic uint32_t sleepers;
    _Atomic uint32_t wake;
} dti_board_head;

/*
 * A member's progress.  `working` is the call in which it began to reach into
 * the buffers of others; until it has finished that call or failed, those
 * buffers must not go away.
 */
typedef struct dti_progress {
    alignas(DTI_APART) _Atomic uint64_t finished;
    alignas(DTI_APART) _Atomic uint64_t working; /* seldom read by others */
} dti_progress;

/* Bytes that the board of a line with `size` members takes. */
size_t dti_board_bytes(int size);

/* ---- A rank's view ------------------------------------------------------ */

/*
 * How a kind of shared memory provides boards and reaches buffers.  Threads
 * share everything; processes map segments.
 */
typedef struct dti_fabric_memory {
    /* Give the zeroed board of a line, the same memory to all members. */
    dt_status (*board_open)(void *memory, const dt_channel *line, size_t bytes,
                            void **out);
    void (*board_close)(void *memory, const dt_channel *line, void *board);
    /* Name an address so that other ranks can find it; 0 if they cannot.  And
     * find it. */
    uint64_t (*name)(void *memory, const void *address);
    void *(*find)(void *memory, uint64_t name);
} dti_fabric_memory;

/* One rank in a fabric: the carrier of the transports that share memory. */
typedef struct dti_fabric {
    dt_world *world;
    dti_roster *roster;
    const dti_fabric_memory *functions;
    void *memory;
    dti_seat *seat;
    dti_waiter waiter; /* spins if ranks fit the cores */
    dti_pin pin;
    int64_t timeout; /* nanoseconds; 0: for ever */
    struct dti_port *ports;
    const dt_channel *shown; /* the line whose label the seat shows */
    uint32_t recovered;      /* how often the world has recovered */
} dti_fabric;

/* A rank's view of one board: the state of a line. */
typedef struct dti_port {
    dti_fabric *fabric;
    const dt_channel *line;
    dti_board_head *head;
    dti_progress *progress; /* one per member */
    char *posts;            /* DTI_BOARD_DEPTH per member */
    size_t post_bytes;
    uint64_t floor;      /* what every member is known to have finished */
    const void **inputs; /* one per member, for reductions */
    void **outputs;
    struct dti_port *next; /* in dti_fabric.ports */
} dti_port;

static inline dti_post *dti_port_post(const dti_port *port, int member,
                                      uint64_t sequence)
{
    size_t slot =
        (size_t)member * DTI_BOARD_DEPTH + (size_t)(sequence % DTI_BOARD_DEPTH);
    return (dti_post *)(void *)(port->posts + slot * port->post_bytes);
}

/* The functions of dt_transport that fabrics share. */
dt_status dti_fabric_line_open(void *carrier, dt_channel *line);
void dti_fabric_line_close(void *carrier, dt_channel *line);
dt_status dti_fabric_start(void *carrier, dt_channel *line, dt_call *call);
dt_status dti_fabric_advance(void *carrier, dt_channel *line, dt_call *call,
                             bool wait, bool *complete);
void dti_fabric_poison(void *carrier, const dt_error *error);
dt_status dti_fabric_recover(void *carrier);

/* ---- Between the files of this folder ----------------------------------- */

/* Mark this rank as failed; its first failure stays. */
void dti_seat_fail(dti_fabric *fabric, const dt_error *error);

/* Note that the program of this rank returned; `error` says how it failed, or
 * is NULL.  Its peers, if they wait for it, are told. */
void dti_seat_leave(dti_fabric *fabric, const dt_error *error);

/* Say for a rank whose process has ended that it will not come any more, and
 * why; unless it failed before, that is what its peers are told. */
void dti_seat_lose(dti_roster *roster, int rank, const char *why);

/* Forget this rank's failure and its calls on all boards. */
void dti_seat_return(dti_fabric *fabric);

/* Take the seat for a program, as new.  No rank is inside a program. */
void dti_seat_begin(dti_fabric *fabric);

/* Say what this rank does: `call` on `line`, inside it or after it. */
void dti_seat_show(dti_fabric *fabric, const dt_channel *line,
                   const dt_call *call, bool inside);

/* What a rank was last seen doing, in words. */
void dti_seat_describe(const dti_fabric *fabric, int rank, char *text,
                       size_t size);

/* A word of a board that this rank needs to reach a value. */
typedef struct dti_need {
    const _Atomic uint64_t *word;
    uint64_t value;
    int member;   /* who will store it */
    bool is_post; /* it is stored when the member calls, and only then */
} dti_need;

static inline bool dti_need_is_met(const dti_need *need)
{
    return atomic_load_explicit(need->word, memory_order_acquire) >=
           need->value;
}

/* Fail if a member of the line has failed, this rank included, or if the one
 * that must meet the need has left without; `need` may be NULL. */
dt_status dti_port_check(dti_port *port, const dt_call *call,
                         const dti_need *need);

/* Wait until a need is met, or fail. */
dt_status dti_port_wait(dti_port *port, const dt_call *call,
                        const dti_need *need);

/* Let go of this rank's cores if others use them, or take them again; helpers
 * of the rank follow. */
void dti_fabric_look(dti_fabric *fabric) DTI_COLD;

/* Wake the members that sleep on a board. */
void dti_port_wake(dti_port *port);

/* Show what this rank called on the mesh that a call serves, and see what
 * another rank did; NULL if that does not say so soon. */
const dti_history_page *dti_seat_ask(dti_fabric *fabric, const dt_call *call,
                                     int rank);

/* Wake every rank that sleeps in a call with this one. */
void dti_seat_wake_all(dti_fabric *fabric);

/* What a rank has shown; NULL if it has not. */
const dti_history_page *dti_seat_page(const dti_fabric *fabric, int rank);

/* Show what this rank called on a mesh that another asks about. */
void dti_seat_answer(dti_fabric *fabric);

/* Say that this rank waits, so that others can see it; and that it is over. */
void dti_seat_begin_wait(dti_port *port, const dti_need *need);
void dti_seat_end_wait(dti_fabric *fabric);

/* Give the rank that another waits for in the end, by the rank it waits for and
 * so on; itself if it does not wait. */
int dti_seat_awaited(const dti_fabric *fabric, int rank);

/* Fail if this rank, which waits, and others wait for one another. */
dt_status dti_seat_check_cycle(dti_fabric *fabric);

/* Fail because of a failed rank, with its sentence. */
dt_status dti_seat_pass_on(dti_fabric *fabric, int rank);

/* After this rank has failed: wait until nobody reaches into its buffers. False
 * if one that does was waited for in vain. */
bool dti_port_withdraw(dti_port *port);

/* How long a rank has waited for others.  The time in which it was itself
 * stopped, as a job is that is suspended as a whole, does not count. */
typedef struct dti_patience {
    int64_t latest; /* when it last looked */
    int64_t waited; /* nanoseconds */
} dti_patience;

dti_patience dti_patience_begin(void);

/* Look at the clock, at least as often as waiting ranks wake up; gives how long
 * it has waited. */
int64_t dti_patience_look(dti_patience *patience);

/* Forget every call of this rank on a board. */
void dti_port_clear(dti_port *port);

/* Do this rank's part of a call that all members have posted. */
dt_status dti_port_work(dti_port *port, const dt_call *call);

/* Tell whether other members reach into this rank's buffers during a call. */
bool dti_port_is_exposed(const dti_port *port, const dt_call *call,
                         const dti_post *mine);

#endif
