/* SPDX-License-Identifier: MIT */
/*
 * Streams: queues of operations that run late, in any order the program itself allows.
 *
 * An operation is queued and nothing happens until somebody waits for it: then its stream runs up to
 * it, and before each operation whatever that one depends on. What nobody ordered shows, because it has
 * not run. Depends on: the operation before it in its stream; the events its stream waits for; and for
 * the legacy default stream all blocking streams, and the other way round.
 *
 * Time is a model (docs/sim.md), settled when an operation is queued: each stream has a clock, each engine
 * (compute, copies in, copies out) is busy until a time, a host thread has come as far as what it waited for.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "check.h"
#include "graph.h"
#include "order.h"
#include "stream.h"

static struct CUstream_st legacy;
struct CUstream_st *stream_list; /* newest first; the legacy stream is not among them */
struct CUevent_st *event_list;
static __thread struct CUstream_st *per_thread;
static unsigned long long stream_ids = 1;
static _Atomic unsigned long long pending, ran; /* operations; the kicker looks without the lock */
static size_t pending_bytes;
static unsigned waiting; /* host threads, for a busy stream */
static double engine_ns[SIM_NO_ENGINE + 1];
static __thread double host_ns;
static struct sim_op *spare; /* small operations kept for reuse */
enum { SPARE_ROOM = 256 };

/* ---- handles ---- */

struct CUstream_st *stream_new(unsigned flags, int priority)
{
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->flags = flags;
    s->priority = priority;
    s->made = sim_call;
    s->id = ++stream_ids;
    s->next = stream_list;
    stream_list = s;
    return s;
}

/* Defined by a program that was compiled with --default-stream per-thread. */
extern int sim_per_thread_default __attribute__((weak));

static bool null_is_per_thread(void)
{
    return &sim_per_thread_default != NULL;
}

static pthread_key_t thread_key;

static void thread_ends(void *stream)
{
    struct CUstream_st *s = stream;
    sim_enter_always("the end of a thread", NULL);
    s->destroyed = true;
    stream_forget_destroyed();
    sim_leave(cudaSuccess);
}

static void make_key(void)
{
    pthread_key_create(&thread_key, thread_ends);
}

static struct CUstream_st *make_per_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    per_thread = stream_new(cudaStreamDefault, 0);
    if (per_thread)
        per_thread->of_thread = true;
    pthread_setspecific(thread_key, per_thread);
    return per_thread;
}

struct CUstream_st *sim_stream(cudaStream_t handle)
{
    if (handle == cudaStreamLegacy || (handle == NULL && !null_is_per_thread()))
        return &legacy;
    if (handle == NULL || handle == cudaStreamPerThread)
        return per_thread ? per_thread : make_per_thread();
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        if (s == handle && !s->destroyed)
            return s;
    struct sim_report r = sim_report("stream", "%s was given a stream that does not exist", sim_call.api);
    sim_report_line(r, "at", "%s", sim_where_call(&sim_call));
    sim_report_line(r, "why", "it was destroyed, or never made by cudaStreamCreate");
    sim_report_end(r);
    return NULL;
}

bool sim_stream_done(const struct CUstream_st *s, unsigned long long seq)
{
    return s->done >= seq;
}

/* ---- operations ---- */

struct sim_op *sim_op_new(struct CUstream_st *stream, void (*run)(struct sim_op *), size_t bytes)
{
    size_t room = bytes > SPARE_ROOM ? bytes : SPARE_ROOM;
    struct sim_op *op = room == SPARE_ROOM ? spare : NULL;
    if (op) {
        spare = op->next;
    } else {
        if (room > SIZE_MAX - sizeof *op - 64)
            return NULL;
        op = aligned_alloc(64, (sizeof *op + room + 63) & ~(size_t)63);
        if (!op)
            return NULL;
        op->deps = NULL;
        op->dep_room = 0;
    }
    struct sim_dep *deps = op->deps;
    size_t dep_room = op->dep_room;
    memset(op, 0, sizeof *op);
    op->deps = deps;
    op->dep_room = dep_room;
    op->stream = stream;
    op->run = run;
    op->engine = SIM_NO_ENGINE;
    op->call = sim_call;
    op->room = room;
    return op;
}

void sim_op_free(struct sim_op *op)
{
    if (op->step)
        order_op_dropped(op);
    if (op->drop)
        op->drop(op);
    if (op->room == SPARE_ROOM) {
        op->next = spare;
        spare = op;
    } else {
        free(op->deps);
        free(op);
    }
}

static void not_before(struct CUstream_st *s, double ns)
{
    if (s->clock_ns < ns)
        s->clock_ns = ns;
}

/* `op` must not run before `stream` has done its operation number `seq`. */
static void add_dep(struct sim_op *op, struct CUstream_st *stream, unsigned long long seq)
{
    if (sim_checked)
        order_op_after(op, stream, seq);
    if (stream->done >= seq)
        return;
    op->deps = sim_room_or_end(op->deps, (size_t)op->dep_count, &op->dep_room, sizeof *op->deps);
    op->deps[op->dep_count++] = (struct sim_dep){stream, seq};
}

void stream_nothing(struct sim_op *op)
{
    (void)op;
}

void stream_op_after(struct sim_op *op, struct CUstream_st *other, unsigned long long seq, double end_ns)
{
    add_dep(op, other, seq);
    not_before(op->stream, end_ns);
}

cudaError_t sim_stream_wait(struct CUstream_st *s, struct CUstream_st *other, unsigned long long seq)
{
    struct sim_op *op = sim_op_new(s, stream_nothing, 0);
    if (!op)
        return cudaErrorMemoryAllocation;
    add_dep(op, other, seq);
    for (struct sim_op *o = other->first; o && o->seq <= seq; o = o->next)
        not_before(s, o->end_ns);
    sim_op_submit(op);
    return cudaSuccess;
}

static void start_kicker(void);

/* A queue has an end, as a GPU's has: at it, half of what is queued runs before more is taken. */
enum { QUEUE_OPERATIONS = 4096 };
#define QUEUE_BYTES (256 * MIB)

static void make_room(struct CUstream_st *s)
{
    if (pending < QUEUE_OPERATIONS && pending_bytes < QUEUE_BYTES)
        return;
    while (s->first && !s->busy && (pending > QUEUE_OPERATIONS / 2 || pending_bytes > QUEUE_BYTES / 2))
        stream_run_one(s);
}

void sim_op_submit(struct sim_op *op)
{
    struct CUstream_st *s = op->stream;
    if (s->capture) {
        graph_capture_op(op);
        return;
    }
    make_room(s);
    if (s == &legacy) {
        for (struct CUstream_st *t = stream_list; t; t = t->next)
            if (!(t->flags & cudaStreamNonBlocking)) {
                add_dep(op, t, t->issued);
                not_before(s, t->clock_ns);
            }
    } else if (!(s->flags & cudaStreamNonBlocking)) {
        add_dep(op, &legacy, legacy.issued);
        not_before(s, legacy.clock_ns);
    }
    not_before(s, host_ns);
    not_before(s, engine_ns[op->engine]);
    op->start_ns = s->clock_ns;
    s->clock_ns = op->end_ns = op->start_ns + op->model_ns;
    if (op->engine != SIM_NO_ENGINE)
        engine_ns[op->engine] = op->end_ns;
    op->seq = ++s->issued;
    if (s->last)
        s->last->next = op;
    else
        s->first = op;
    s->last = op;
    pending++;
    pending_bytes += op->room;
    watch_op_submit(op);
    start_kicker();
}

/* Take out the first operation or, of a busy stream, the one behind it. */
static struct sim_op *unlink(struct CUstream_st *s)
{
    struct sim_op **at = s->busy ? &s->first->next : &s->first, *op = *at;
    if (!op)
        return NULL;
    *at = op->next;
    if (s->last == op)
        s->last = s->busy ? s->first : NULL;
    pending--;
    pending_bytes -= op->room;
    return op;
}

/* Run the first operation of `s`, whose dependencies have run. */
static void run_first(struct CUstream_st *s)
{
    struct sim_op *op = s->first;
    struct sim_call host = sim_call;
    ran++;
    sim_symbols_check();
    watch_op_begin(op);
    sim_call = op->call;
    op->run(op);
    sim_call = host;
    watch_op_end(s->first == op ? op : NULL);
    sim_symbols_keep();
    if (s->first != op)
        return; /* it failed for good: everything queued was dropped */
    unlink(s);
    if (s->done < op->seq)
        s->done = op->seq;
    sim_op_free(op);
}

/* The stream whose first operation was queued before all others; in the checked build, which knows. */
static struct CUstream_st *oldest(void)
{
    struct CUstream_st *found = legacy.first ? &legacy : NULL;
    for (struct CUstream_st *t = stream_list; t; t = t->next)
        if (t->first && (!found || t->first->step->submitted < found->first->step->submitted))
            found = t;
    return found;
}

/* The stream to serve before `s`, which is not empty: itself, but for a free in the checked build. All uses
 * that were queued before that run before it, so that what is found depends on no order of luck. */
static struct CUstream_st *next_before(struct CUstream_st *s)
{
    return sim_checked && s->first->frees ? oldest() : s;
}

/* What the operation still waits for, NULL when it may run. */
static const struct sim_dep *unmet(const struct sim_op *op)
{
    for (int i = 0; i < op->dep_count; i++)
        if (!sim_stream_done(op->deps[i].stream, op->deps[i].seq))
            return &op->deps[i];
    return NULL;
}

/* Of sim_stream_follows: about this stream, when so many operations were queued in all. */
static const struct CUstream_st *asked;
static unsigned long long question, asked_at;

static void reach(struct CUstream_st *s, unsigned long long seq)
{
    unsigned long long before = s->asked == question ? s->reach : 0;
    if (before >= seq)
        return;
    s->asked = question;
    s->reach = seq;
    for (const struct sim_op *op = s->first; op && op->seq <= seq; op = op->next)
        for (int i = 0; op->seq > before && i < op->dep_count; i++)
            reach(op->deps[i].stream, op->deps[i].seq);
}

void stream_reach(struct CUstream_st *s, unsigned long long seq)
{
    question++;
    asked = NULL;
    reach(s, seq);
}

bool stream_was_reached(const struct CUstream_st *s, unsigned long long seq)
{
    return s->asked == question && s->reach >= seq;
}

bool sim_stream_follows(struct CUstream_st *s, const struct CUstream_st *other, unsigned long long seq)
{
    if (asked != s || asked_at != ran + pending) {
        question++;
        asked = s;
        asked_at = ran + pending;
        reach(s, s->issued);
        if (s != &legacy && !(s->flags & cudaStreamNonBlocking))
            reach(&legacy, legacy.issued);
        for (struct CUstream_st *t = stream_list; t && s == &legacy; t = t->next)
            if (!(t->flags & cudaStreamNonBlocking))
                reach(t, t->issued);
    }
    return stream_was_reached(other, seq);
}

void stream_run_to(struct CUstream_st *s, unsigned long long seq)
{
    while (s->done < seq && s->first) {
        struct CUstream_st *next = next_before(s);
        if (next->busy) {
            waiting++; /* the stream must not go meanwhile */
            sim_wait_for_change();
            waiting--;
            continue;
        }
        const struct sim_dep *dep = unmet(next->first);
        if (dep)
            stream_run_to(dep->stream, dep->seq); /* and look again: another thread may have been at work */
        else
            run_first(next);
    }
}

void stream_host_reached(double ns)
{
    if (ns <= host_ns)
        return;
    watch_host_clock(host_ns, ns);
    host_ns = ns;
}

cudaError_t sim_stream_finish(struct CUstream_st *s)
{
    if (!sim_inject_sync()) {
        stream_run_to(s, s->issued);
        stream_host_reached(s->clock_ns);
    }
    return sim_sticky();
}

void stream_run_one(struct CUstream_st *s)
{
    if (s->first)
        s = next_before(s);
    while (s->first && !s->busy) {
        const struct sim_dep *dep = unmet(s->first);
        if (!dep) {
            run_first(s);
            return;
        }
        s = dep->stream;
    }
}

/* An event, or a graph, tells of work that the checker may still be asked about. */
static bool is_recorded(const struct CUstream_st *s)
{
    for (struct CUevent_st *e = event_list; e && sim_checked; e = e->next)
        if (e->stream == s)
            return true;
    return sim_checked && graph_launched_in(s);
}

void stream_forget_destroyed(void)
{
    if (pending || waiting)
        return;
    for (struct CUstream_st **at = &stream_list; *at;) {
        struct CUstream_st *s = *at;
        if (s->destroyed) {
            sim_pools_wait(s, s->issued);
            sim_pools_settle(false);
        }
        if (!s->destroyed || is_recorded(s)) {
            at = &s->next;
            continue;
        }
        for (struct CUevent_st *e = event_list; e; e = e->next)
            if (e->stream == s)
                e->stream = &legacy, e->seq = 0; /* done */
        *at = s->next;
        asked = NULL;
        graph_stream_gone(s);
        order_stream_gone(s);
        free(s->after.nodes);
        free(s);
    }
}

void event_free(struct CUevent_st *event)
{
    for (struct CUevent_st **at = &event_list; *at; at = &(*at)->next)
        if (*at == event) {
            *at = event->next;
            free(event->after.nodes);
            free(event);
            return;
        }
}

/* Newest stream first (oldest first with SIM_ORDER=reverse): what only luck has ordered goes wrong here. The
 * checked build finds it without, and keeps to the order of the queue. */
cudaError_t sim_device_finish(void)
{
    for (struct CUstream_st *s; sim_checked && (s = oldest());)
        stream_run_to(s, s->first->seq);
    if (sim_settings.order == SIM_REVERSE) {
        stream_run_to(&legacy, legacy.issued);
        for (bool again = true; again;) {
            struct CUstream_st *oldest = NULL;
            for (struct CUstream_st *s = stream_list; s; s = s->next)
                if (s->first)
                    oldest = s;
            again = oldest != NULL;
            if (oldest)
                stream_run_to(oldest, oldest->issued);
        }
    }
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        stream_run_to(s, s->issued);
    stream_run_to(&legacy, legacy.issued);
    double end = legacy.clock_ns;
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        end = end > s->clock_ns ? end : s->clock_ns;
    stream_host_reached(end);
    stream_forget_destroyed();
    return sim_sticky();
}

static void drop_all(struct CUstream_st *s)
{
    for (struct sim_op *op; (op = unlink(s));)
        sim_op_free(op);
    s->done = s->issued;
}

void sim_streams_drop(void)
{
    drop_all(&legacy);
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        drop_all(s);
}

void sim_streams_reset(void)
{
    sim_streams_drop();
    graph_reset();
    for (struct CUstream_st *s = stream_list; s; s = s->next)
        s->destroyed |= !s->of_thread;
    stream_forget_destroyed();
    while (event_list)
        event_free(event_list);
}

/* ---- progress without a call ---- */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The main thread waits, and not for a processor. */
static bool main_sleeps(void)
{
    char state = 'S';
    FILE *f = fopen("/proc/self/stat", "re");
    if (f) {
        if (fscanf(f, "%*d %*[^)]) %c", &state) != 1) /* "1234 (name) S ..." */
            state = 'S';
        fclose(f);
    }
    return state == 'S';
}

/*
 * A host that waits without calling the runtime (on a condition variable, on a flag in mapped memory)
 * must still see its work done. So when nothing has run for a while and the host is idle, or has been
 * busy with something else for long, this thread runs what is queued, one operation at a time.
 */
static void *kicker(void *unused)
{
    const struct timespec tick = {.tv_nsec = 20000000};
    unsigned long long seen = 0;
    double last = 0, stalled_from = 0; /* by the processor's time, which a busy machine may deal out slowly */
    for (;;) {
        nanosleep(&tick, NULL);
        double now = cpu_seconds();
        bool stalled = pending && ran == seen, idle = now - last < 0.002;
        if (!stalled)
            stalled_from = now;
        seen = ran;
        last = now;
        if (!stalled || (now - stalled_from < 0.4 && !(idle && main_sleeps())))
            continue;
        cudaError_t e = sim_enter("the device, with the host idle", NULL);
        watch_host_interrupted();
        if (!e && legacy.first)
            stream_run_one(&legacy);
        for (struct CUstream_st *s = stream_list; !e && s; s = s->next)
            if (s->first && !s->busy) {
                stream_run_one(s);
                break;
            }
        sim_leave(cudaSuccess);
        seen = ran; /* go on at the next tick */
    }
    return unused;
}

static void start_kicker(void)
{
    static bool started;
    pthread_t thread;
    if (started)
        return;
    started = true;
    if (pthread_create(&thread, NULL, kicker, NULL) == 0)
        pthread_detach(thread);
}
