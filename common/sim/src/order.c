/* SPDX-License-Identifier: MIT */
/*
 * Happens-before over streams, events and what the host has waited for.
 *
 *   host     --submit 1--submit 2--------wait for 2--------->    ticks before a submit are before it
 *   lane A       [ 1 ]--------[ 3 ]                              a stream: each operation after the last
 *   lane B               [ 2 ]                                   and after the events it waits for
 *
 * Operations run late and one at a time; each owns the ticks from its begin to its end, and host code owns
 * the others. An operation's clock says, for each lane, up to which operation all is over before it begins:
 * by its stream, by the events its stream waited for, by the legacy stream's rule, and by what the host knew
 * when it was submitted. So "is what happened at tick t over?" is a search for who ran at t and a look at the
 * clock. What really ran earlier does not count.
 *
 * What the host knows is one clock for all its threads: how they tell each other cannot be seen.
 */
#include <stdlib.h>
#include <string.h>
#include "order.h"
#include "stream.h"

check_tick order_floor = UINT32_MAX;

/* ---- clocks ---- */

static void *grown(void *list, size_t count, size_t bytes)
{
    void *p = realloc(list, count * bytes);
    if (!p)
        abort(); /* an order that cannot be kept must not be lost */
    return p;
}

static unsigned known(const struct clock *c, unsigned lane)
{
    return lane < c->count ? c->at[lane] : 0;
}

static void learn(struct clock *c, unsigned lane, unsigned number)
{
    if (lane >= c->count) {
        c->at = grown(c->at, lane + 1, sizeof *c->at);
        memset(c->at + c->count, 0, (lane + 1 - c->count) * sizeof *c->at);
        c->count = lane + 1;
    }
    if (c->at[lane] < number)
        c->at[lane] = number;
}

static void join(struct clock *c, const struct clock *other)
{
    for (unsigned i = other->count; i-- > 0;)
        learn(c, i, other->at[i]);
}

/* ---- lanes: a stream has one while it lives; the next stream goes on counting in it ---- */

struct lane {
    const struct CUstream_st *stream; /* NULL: free for another once the host knows of all that it held */
    struct order_step **steps;        /* from number `first` to `submitted` */
    unsigned room, first, submitted, ran;
    unsigned kernel;    /* the last that is a kernel */
    struct clock clock; /* what the next operation comes after */
};

static struct lane *lanes;
static unsigned lane_count;
static struct clock host;
static struct order_step *running;

/* By begin: those that have run or run, and may matter still. Before `forgotten` all is ordered. */
static struct order_step **ran;
static size_t ran_count, ran_room;
static check_tick forgotten;

/* Queued, and touching memory that the host can reach; by submit. */
static struct order_step **pending;
static size_t pending_count, pending_room;
uintptr_t order_watched_first, order_watched_bytes;

static unsigned lane_of(struct CUstream_st *s)
{
    if (s->lane)
        return s->lane - 1;
    unsigned i = 0;
    while (i < lane_count && (lanes[i].stream || known(&host, i) < lanes[i].submitted))
        i++;
    if (i == lane_count) {
        lanes = grown(lanes, ++lane_count, sizeof *lanes);
        lanes[i] = (struct lane){.first = 1};
    }
    lanes[i].stream = s;
    lanes[i].clock.count = 0;
    s->lane = i + 1;
    return i;
}

void order_stream_gone(struct CUstream_st *s)
{
    if (s->lane)
        lanes[s->lane - 1].stream = NULL;
}

static struct order_step *step_of(const struct lane *l, unsigned number)
{
    return number >= l->first && number <= l->submitted ? l->steps[number - l->first] : NULL;
}

/* What is over when operation `seq` of the stream is. */
static const struct clock *clock_after(struct CUstream_st *s, unsigned long long seq)
{
    static const struct clock nothing;
    const struct lane *l = &lanes[lane_of(s)];
    unsigned number = s->lane_base + (unsigned)seq;
    const struct order_step *step = seq ? step_of(l, number) : NULL;
    return seq && number == l->submitted ? &l->clock : step ? &step->clock : &nothing;
}

/* ---- forgetting ---- */

enum { FEW = 256, MOST = 16384 };

static void step_free(struct order_step *step)
{
    free(step->clock.at);
    free(step);
}

/* Everybody, and whatever is queued, knows that it has ended. */
static bool is_old(const struct order_step *step, const struct clock *least, check_tick horizon)
{
    return step->end && step->end <= horizon && known(least, step->lane) >= step->number;
}

/* What the host and each queued operation know, and the first submit among these. */
static check_tick find_least(struct clock *least)
{
    check_tick horizon = UINT32_MAX;
    join(least, &host);
    for (unsigned i = 0; i < lane_count; i++)
        for (unsigned n = lanes[i].ran + 1; n <= lanes[i].submitted; n++) {
            const struct order_step *step = step_of(&lanes[i], n);
            for (unsigned k = 0; k < least->count; k++)
                if (least->at[k] > known(&step->clock, k))
                    least->at[k] = known(&step->clock, k);
            if (horizon > step->submitted)
                horizon = step->submitted;
        }
    return horizon;
}

static void forget(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct lane *l = &lanes[ran[i]->lane];
        unsigned gone = ran[i]->number + 1 - l->first; /* with dropped ones before it */
        for (unsigned k = 0; k < gone; k++)
            step_free(l->steps[k]);
        l->first += gone;
        memmove(l->steps, l->steps + gone, (l->submitted + 1 - l->first) * sizeof *l->steps);
    }
    ran_count -= count;
    memmove(ran, ran + count, ran_count * sizeof *ran);
}

/* A program that waits now and then keeps little; of one that never does, the oldest is let go. */
static void forget_old(void)
{
    static size_t limit = FEW;
    if (ran_count < limit)
        return;
    struct clock least = {NULL, 0};
    check_tick horizon = find_least(&least);
    size_t count = 0;
    while (count < ran_count && is_old(ran[count], &least, horizon))
        count++;
    free(least.at);
    if (ran_count - count > MOST)
        count = ran_count - MOST / 2;
    if (count) {
        forgotten = ran[count - 1]->end;
        forget(count);
    }
    limit = 2 * ran_count > FEW ? 2 * ran_count : FEW;
}

/* Ticks start over: what has run is taken to be over. */
void order_restart(void)
{
    for (size_t i = 0; i < ran_count; i++)
        if (ran[i]->end)
            learn(&host, ran[i]->lane, ran[i]->number);
    for (unsigned i = 0; i < lane_count; i++)
        for (unsigned n = lanes[i].ran + 1; n <= lanes[i].submitted; n++)
            step_of(&lanes[i], n)->submitted = 0;
    if (running)
        running->begin = 0;
    forget(ran_count - (running != NULL));
    forgotten = 0;
}

/* ---- order ---- */

/* The first tick of an operation that has run and is not in the clock. */
static check_tick first_unknown(const struct clock *c)
{
    check_tick first = UINT32_MAX;
    for (unsigned i = 0; i < lane_count; i++) {
        const struct lane *l = &lanes[i];
        unsigned number = known(c, i) + 1 > l->first ? known(c, i) + 1 : l->first;
        if (number <= l->ran && step_of(l, number)->begin < first)
            first = step_of(l, number)->begin;
    }
    return first;
}

static const struct clock *clock_now(void)
{
    return running ? &running->clock : &host;
}

static void set_floor(void)
{
    check_tick first = first_unknown(clock_now());
    order_floor = running && running->submitted < first ? running->submitted : first;
}

bool order_all_known(void)
{
    return first_unknown(clock_now()) == UINT32_MAX;
}

struct order_step *order_now(void)
{
    return running;
}

struct order_step *order_at(check_tick t)
{
    size_t low = 0, high = ran_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ran[middle]->begin <= t)
            low = middle + 1;
        else
            high = middle;
    }
    struct order_step *step = low ? ran[low - 1] : NULL;
    return step && (!step->end || t < step->end) ? step : NULL;
}

bool order_before(check_tick t)
{
    if (t < order_floor || t < forgotten)
        return true;
    const struct order_step *step = order_at(t);
    if (!step)
        return !running || t < running->submitted || running->host_told;
    return step == running || known(clock_now(), step->lane) >= step->number || (!running && step->host_told);
}

/* ---- operations ---- */

static struct order_step *step_for(struct sim_op *op)
{
    if (!op->step) {
        op->step = grown(NULL, 1, sizeof *op->step);
        *op->step = (struct order_step){.call = op->call};
    }
    return op->step;
}

void order_op_after(struct sim_op *op, struct CUstream_st *other, unsigned long long seq)
{
    join(&step_for(op)->clock, clock_after(other, seq));
}

void order_stream_after(struct CUstream_st *s, struct CUstream_st *other, unsigned long long seq)
{
    unsigned lane = lane_of(s); /* first: it may move the lanes */
    const struct clock *after = clock_after(other, seq);
    join(&lanes[lane].clock, after);
}

/* Kept where the host can reach it too. */
void order_op_range(struct sim_op *op, const void *p, size_t bytes, bool writes)
{
    const struct sim_block *b = sim_find(p);
    if (!b || !b->live || (b->kind != SIM_PINNED && b->kind != SIM_MANAGED && b->kind != SIM_REGISTERED))
        return;
    struct order_step *step = step_for(op);
    step->host[step->host[0].bytes != 0] = (struct order_range){p, bytes, writes, b->kind == SIM_REGISTERED};
}

/* Registered memory is the program's own, where no access is looked at without a reason. */
static void watch_registered(void)
{
    uintptr_t first = UINTPTR_MAX, end = 0;
    for (size_t i = 0; i < pending_count; i++)
        for (const struct order_range *r = pending[i]->host; r < pending[i]->host + 2 && r->bytes; r++)
            if (r->registered) {
                uintptr_t p = (uintptr_t)r->first;
                first = p < first ? p : first;
                end = p + r->bytes > end ? p + r->bytes : end;
            }
    order_watched_first = end ? first : 0;
    order_watched_bytes = end ? end - first : 0;
}

static void add_pending(struct order_step *step)
{
    pending = sim_room_or_end(pending, pending_count, &pending_room, sizeof(struct order_step *));
    pending[pending_count++] = step;
    watch_registered();
}

static void drop_pending(const struct order_step *step)
{
    for (size_t i = 0; i < pending_count && step->host[0].bytes; i++)
        if (pending[i] == step) {
            pending_count--;
            memmove(pending + i, pending + i + 1, (pending_count - i) * sizeof *pending);
            watch_registered();
            return;
        }
}

void order_op_submit(struct sim_op *op)
{
    struct CUstream_st *s = op->stream;
    unsigned lane = lane_of(s);
    struct lane *l = &lanes[lane];
    struct order_step *step = step_for(op);
    join(&step->clock, &l->clock);
    join(&step->clock, &host);
    step->lane = lane;
    step->kernel = op->kernel;
    step->graph = op->graph;
    step->graph_launch = op->graph_launch;
    step->stream = (struct order_stream){s->id, s->made, s == sim_stream(cudaStreamLegacy), s->of_thread,
                                         s->flags & cudaStreamNonBlocking};
    step->submitted = check_next_tick();
    step->number = ++l->submitted;
    s->lane_base = step->number - (unsigned)op->seq;
    learn(&step->clock, lane, step->number);
    join(&l->clock, &step->clock);
    if (step->kernel)
        l->kernel = step->number;
    if (l->submitted + 1 - l->first > l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->steps = grown(l->steps, l->room, sizeof *l->steps);
    }
    l->steps[step->number - l->first] = step;
    if (step->host[0].bytes)
        add_pending(step);
}

void order_op_begin(struct sim_op *op)
{
    struct order_step *step = op->step;
    forget_old();
    if (ran_count == ran_room) {
        ran_room = ran_room ? 2 * ran_room : FEW;
        ran = grown(ran, ran_room, sizeof(struct order_step *));
    }
    step->begin = check_next_tick();
    ran[ran_count++] = step;
    running = step;
    set_floor();
    lanes[step->lane].ran = step->number;
    drop_pending(step);
}

void order_op_end(void)
{
    running->end = check_next_tick();
    running = NULL;
    set_floor();
}

void order_op_copied(struct sim_op *op, const struct sim_op *from)
{
    const struct order_step *step = from->step;
    for (int i = 0; step && i < 2 && step->host[i].bytes; i++)
        order_op_range(op, step->host[i].first, step->host[i].bytes, step->host[i].writes);
}

void order_op_forget(struct sim_op *op)
{
    if (op->step)
        step_free(op->step);
    op->step = NULL;
}

/* It will never run: the device is lost, or was reset. */
void order_op_dropped(struct sim_op *op)
{
    struct lane *l = &lanes[op->step->lane];
    if (l->ran >= op->step->number)
        return;
    op->step->begin = op->step->end = check_now;
    l->ran = op->step->number;
    drop_pending(op->step);
    learn(&host, op->step->lane, op->step->number);
}

/* ---- what the host knows ---- */

void order_host_waited(struct CUstream_st *s, unsigned long long seq)
{
    join(&host, clock_after(s, seq));
    set_floor();
}

void order_host_waited_before(struct CUstream_st *s, unsigned long long seq)
{
    unsigned lane = lane_of(s), before = s->lane_base + (unsigned)seq - 1;
    order_host_waited(s, seq);
    if (lane < host.count && host.at[lane] > before)
        host.at[lane] = before;
    set_floor();
}

void order_host_waited_all(void)
{
    for (unsigned i = 0; i < lane_count; i++) {
        join(&host, &lanes[i].clock);
        learn(&host, i, lanes[i].submitted);
    }
    set_floor();
}

struct order_step *order_pending_on(const void *p, size_t bytes, bool write)
{
    const char *first = p;
    for (size_t i = 0; i < pending_count && !running; i++)
        for (const struct order_range *r = pending[i]->host; r < pending[i]->host + 2 && r->bytes; r++)
            if ((write || r->writes) && r->first < first + bytes && first < r->first + r->bytes)
                return pending[i];
    return NULL;
}

struct order_step *order_busy(const struct CUstream_st *stream)
{
    for (unsigned i = 0; i < lane_count && !running; i++)
        if (lanes[i].kernel > known(&host, i) && lanes[i].kernel >= lanes[i].first &&
            (!stream || lanes[i].stream == stream))
            return step_of(&lanes[i], lanes[i].kernel);
    return NULL;
}

/* ---- words ---- */

const char *order_name(const struct order_step *step)
{
    static char texts[4][600];
    static unsigned next;
    const struct order_stream *s = &step->stream;
    char *text = texts[next++ % 4];
    int n = step->kernel
                ? snprintf(text, sizeof *texts, "kernel %.150s launched at %s", step->kernel,
                           sim_where_call(&step->call))
                : snprintf(text, sizeof *texts, "%s at %s", step->call.api, sim_where_call(&step->call));
    if (n < 0 || n >= (int)sizeof *texts)
        return text;
    if (step->graph.api)
        snprintf(text + n, sizeof *texts - (size_t)n, ", in the graph launched at %s",
                 sim_where_call(&step->graph));
    else if (s->legacy || s->of_thread)
        snprintf(text + n, sizeof *texts - (size_t)n, ", on %s",
                 s->legacy ? "the default stream" : "the thread's default stream");
    else
        snprintf(text + n, sizeof *texts - (size_t)n, ", on %s %llu (made at %s)",
                 s->apart ? "non-blocking stream" : "stream", s->id, sim_where_call(&s->made));
    return text;
}

const char *order_who(check_tick t)
{
    const struct order_step *step = order_at(t);
    return step ? order_name(step) : "host code";
}
