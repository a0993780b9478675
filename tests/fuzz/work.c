/* SPDX-License-Identifier: MIT */
/*
 * Work on buffers: kernels, fills, copies and host functions, one by one or as graphs, which are captured or
 * put together by hand. A graph takes the calls that follow it in the input as what it does.
 */
#include "kernels.h"
#include "model.h"

/* THROUGH: a fill by way of memory that is allocated for it, in the same stream or graph. */
enum what { SET, ADD, TURN, FILL, COPY, CALL, THROUGH, WHATS };

struct action {
    enum what what;
    struct memory *to, *from; /* from: NULL where nothing is read */
    size_t at, from_at, n;
    int value, branch;
    struct call *call;
};

/* What a host function is to do; it may still be queued when its buffer is another's. */
static struct call {
    char *p;
    size_t n;
    int value;
} calls[1024];
enum { CALLS = sizeof calls / sizeof *calls };
static int call_count;

static cudaEvent_t fork_event, join_event;
size_t through;

/* ---- one piece of work ---- */

/* The first buffer from there on that work can use so, or that a host function can write. */
static struct place find(unsigned which, unsigned offset, size_t n, int access, int by_host)
{
    struct place at = {0};
    for (unsigned i = 0; i < MEMORIES; i++) {
        at = choose(which % MEMORIES + i, offset);
        if (n <= room(&at, access) && (by_host ? at.in->kind >= PINNED : !on_host(&at)))
            return at;
    }
    return (struct place){0};
}

/* By the eight bytes of a call; false when there is nothing to do it to. */
static int choose_action(struct action *a)
{
    size_t n = 1 + args[7] % 200;
    enum what what = (enum what)(args[3] % WHATS);
    int reads = what == ADD || what == TURN || what == COPY;
    struct place to = find(args[1], args[5], n, WRITE, what == CALL), from = {0};
    if (reads)
        from = find(args[2], args[6], n, READ, 0);
    if (!to.in || (reads && (!from.in || from.in->is == to.in->is)) || call_count == CALLS)
        return 0;
    *a = (struct action){what, to.in, from.in, (size_t)(to.p - to.in->p), 0, n, 0, args[4] >> 6 & 1, NULL};
    a->value = (args[7] + 37 * args[0]) % 256;
    a->value -= a->value == FRESH_BYTE;
    if (what == CALL) {
        a->call = &calls[call_count++];
        *a->call = (struct call){to.p, n, a->value};
    }
    if (reads)
        a->from_at = (size_t)(from.p - from.in->p);
    return 1;
}

static int may_run(const struct action *a)
{
    return !orderly || !a->from || is_written(a->from, a->from_at, a->n);
}

static unsigned char *target(const struct action *a)
{
    return (unsigned char *)a->to->p + a->at;
}

static unsigned char *source(const struct action *a)
{
    return a->from ? (unsigned char *)a->from->p + a->from_at : NULL;
}

static void CUDART_CB host_function(void *data)
{
    const struct call *c = data;
    memset(c->p, c->value, c->n);
}

static const void *const kernels[] = {(const void *)fuzz_set, (const void *)fuzz_add,
                                      (const void *)fuzz_turn};
static const char *const names[] = {"set", "add", "turn"};

static unsigned grid_of(const struct action *a)
{
    return (unsigned)(a->n + BLOCK - 1) / BLOCK;
}

/* `odd` spoils the launch: no block, too many threads, too much shared memory. */
static void launch(const struct action *a, int s, int by_address, int odd)
{
    unsigned grid = odd == 1 ? 0 : grid_of(a), block = odd == 2 ? 1025 : BLOCK, n = (unsigned)a->n;
    size_t shared = odd == 3 ? 1 << 20 : args[0] % 2 * 64;
    unsigned char *to = target(a);
    const unsigned char *from = source(a);
    int value = a->value;
    void *list[] = {&to, &from, &n, &value};
    want(odd, cudaErrorInvalidValue);
    say("%s<<<%u, %u, %zu, s%d>>>(m%d + %zu, m%d + %zu, %u, %d)%s", names[a->what], grid, block, shared, s,
        number(a->to), a->at, a->from ? number(a->from) : -1, a->from_at, n, value,
        by_address ? " by address" : "");
    if (by_address) {
        answer(cudaLaunchKernel(kernels[a->what], (dim3){grid, 1, 1}, (dim3){block, 1, 1}, list, shared,
                                streams[s].handle));
        return;
    }
    fuzz_launch((int)a->what, grid, block, shared, streams[s].handle, to, from, n, value);
    want(!wanted_count(), last);
    answer(cudaPeekAtLastError());
}

static void fill_through(const struct action *a, int s, cudaStream_t stream)
{
    void *between;
    say("cudaMallocAsync(&t, %zu, s%d), cudaMemsetAsync(t, %d), cudaMemcpyAsync(m%d + %zu, t), "
        "cudaFreeAsync(t)",
        a->n, s, a->value, number(a->to), a->at);
    if (!answer(cudaMallocAsync(&between, a->n, stream)))
        return;
    forget_dead(between, a->n);
    answer(cudaMemsetAsync(between, a->value, a->n, stream));
    answer(cudaMemcpyAsync(target(a), between, a->n, cudaMemcpyDefault, stream));
    answer(cudaFreeAsync(between, stream));
    leaving += a->n;
    through++;
}

static void perform(const struct action *a, int s, int how)
{
    cudaStream_t stream = streams[s].handle;
    if (a->what <= TURN) {
        launch(a, s, how & 1, 0);
    } else if (a->what == FILL) {
        say("cudaMemsetAsync(m%d + %zu, %d, %zu, s%d)", number(a->to), a->at, a->value, a->n, s);
        answer(cudaMemsetAsync(target(a), a->value, a->n, stream));
    } else if (a->what == COPY) {
        say("cudaMemcpyAsync(m%d + %zu, m%d + %zu, %zu, cudaMemcpyDefault, s%d)", number(a->to), a->at,
            number(a->from), a->from_at, a->n, s);
        answer(cudaMemcpyAsync(target(a), source(a), a->n, cudaMemcpyDefault, stream));
    } else if (a->what == THROUGH) {
        fill_through(a, s, stream);
    } else {
        say("cudaLaunchHostFunc(s%d, memset of m%d + %zu, %d, %zu)", s, number(a->to), a->at, a->value, a->n);
        answer(cudaLaunchHostFunc(stream, host_function, a->call));
    }
}

/* What it does to the model. */
static void apply(const struct action *a)
{
    const struct bytes *b = a->from ? a->from->is : NULL;
    if (a->what == COPY)
        move(a->to, a->at, a->from, a->from_at, a->n);
    else if (!b)
        put(a->to, a->at, a->n, a->value, WRITTEN);
    for (size_t i = 0; b && a->what != COPY && i < a->n; i++) {
        size_t first = i / BLOCK * BLOCK, count = a->n - first < BLOCK ? a->n - first : BLOCK;
        size_t k = a->from_at + (a->what == TURN ? first + count - 1 - (i - first) : i);
        int is_known = k < TRACKED && b->state[k] != UNKNOWN;
        put(a->to, a->at + i, 1, is_known ? b->value[k] + a->value * (a->what == ADD) : 0,
            is_known ? WRITTEN : UNKNOWN);
    }
}

/* Work that comes before its buffer's own cudaMallocAsync is an error for good. */
static void own_allocated(struct memory *m, int s, int how)
{
    if (m->kind == POOLED && racing)
        finished();
    own(m, s, m->kind == POOLED ? 3 : how);
}

static void own_all(const struct action *list, int count, int s)
{
    for (int i = 0; i < count; i++) {
        own_allocated(list[i].to, s, args[4] >> 4);
        if (list[i].from)
            own_allocated(list[i].from, s, args[4] >> 6);
    }
    for (int i = 0; i < count; i++) { /* one of them may have waited for all */
        list[i].to->is->owner = s;
        if (list[i].from)
            list[i].from->is->owner = s;
    }
    streams[s].busy = 1;
}

void work(void)
{
    struct action a;
    int s = stream_of(args[4]), odd = !orderly && args[6] >= 250 ? args[6] % 4 : 0;
    if (!choose_action(&a) || !may_run(&a))
        return;
    want(!streams[s].live, cudaErrorInvalidResourceHandle);
    if (odd && a.what <= TURN) {
        launch(&a, s, args[5] & 1, odd);
    } else if (!streams[s].live) {
        perform(&a, s, args[5]);
    } else {
        own_all(&a, 1, s);
        perform(&a, s, args[5]);
        apply(&a);
    }
}

/* ---- graphs ---- */

enum { GRAPHS = 3, ACTIONS = 5 };

static struct graph {
    cudaGraphExec_t exec;
    int count;
    struct action actions[ACTIONS];
} graphs[GRAPHS];

static int touches(const struct action *a, const struct bytes *is)
{
    return a->to->is == is || (a->from && a->from->is == is);
}

static void destroy(struct graph *g)
{
    say("cudaGraphExecDestroy(x%d)", (int)(g - graphs));
    answer(cudaGraphExecDestroy(g->exec));
    g->exec = NULL;
}

void forget_graphs(const struct bytes *is)
{
    for (struct graph *g = graphs; g < graphs + GRAPHS; g++)
        for (int i = 0; g->exec && i < g->count; i++)
            if (touches(&g->actions[i], is))
                destroy(g);
}

/* The branches of a graph have no order: they may not meet. */
static int is_apart(const struct graph *g, const struct action *a)
{
    for (int i = 0; i < g->count; i++)
        if (g->actions[i].branch != a->branch &&
            (touches(&g->actions[i], a->to->is) || (a->from && touches(&g->actions[i], a->from->is))))
            return 0;
    return 1;
}

static void choose_actions(struct graph *g, int branches)
{
    int wanted = 1 + args[2] % ACTIONS;
    for (g->count = 0; wanted && args + 2 * fuzz_step <= args_end; wanted--) {
        struct action *a = &g->actions[g->count];
        args += fuzz_step;
        if (!choose_action(a))
            continue;
        a->branch &= branches;
        g->count += is_apart(g, a);
    }
}

static cudaGraph_t capture(const struct graph *g, int s, int beside, int mode, int spoil)
{
    cudaGraph_t graph = NULL;
    say("cudaStreamBeginCapture(s%d, %d)", s, mode);
    answer(cudaStreamBeginCapture(streams[s].handle, (enum cudaStreamCaptureMode)mode));
    if (beside) {
        say("cudaEventRecord(fork, s%d), cudaStreamWaitEvent(s%d, fork)", s, beside);
        answer(cudaEventRecord(fork_event, streams[s].handle));
        answer(cudaStreamWaitEvent(streams[beside].handle, fork_event, 0));
    }
    for (int i = 0; i < g->count; i++)
        perform(&g->actions[i], g->actions[i].branch ? beside : s, i);
    if (beside) {
        say("cudaEventRecord(join, s%d), cudaStreamWaitEvent(s%d, join)", beside, s);
        answer(cudaEventRecord(join_event, streams[beside].handle));
        answer(cudaStreamWaitEvent(streams[s].handle, join_event, 0));
    }
    if (spoil) {
        want(1, cudaErrorStreamCaptureUnsupported);
        say("cudaStreamSynchronize(s%d)", s);
        answer(cudaStreamSynchronize(streams[s].handle));
    }
    want(spoil, cudaErrorStreamCaptureInvalidated);
    say("cudaStreamEndCapture(s%d, &g)", s);
    answer(cudaStreamEndCapture(streams[s].handle, &graph));
    return graph;
}

static void add_nodes_through(cudaGraph_t graph, const struct action *a, cudaGraphNode_t *end)
{
    struct cudaMemAllocNodeParams memory = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = a->n};
    cudaGraphNode_t node, first = *end;
    answer(cudaGraphAddMemAllocNode(&node, graph, &first, first != NULL, &memory));
    forget_dead(memory.dptr, a->n);
    struct cudaMemsetParams fill = {memory.dptr, 0, (unsigned)a->value, 1, a->n, 1};
    answer(cudaGraphAddMemsetNode(end, graph, &node, 1, &fill));
    answer(cudaGraphAddMemcpyNode1D(&node, graph, end, 1, target(a), memory.dptr, a->n, cudaMemcpyDefault));
    answer(cudaGraphAddMemFreeNode(end, graph, &node, 1, memory.dptr));
    through++;
}

static void add_node(cudaGraph_t graph, const struct action *a, cudaGraphNode_t *end)
{
    cudaGraphNode_t node;
    size_t after = *end != NULL;
    unsigned char *to = target(a);
    const unsigned char *from = source(a);
    unsigned n = (unsigned)a->n;
    int value = a->value;
    void *list[] = {&to, &from, &n, &value};
    say("cudaGraphAdd...Node(g) of %d: m%d + %zu, m%d + %zu, %u, %d, branch %d", (int)a->what, number(a->to),
        a->at, a->from ? number(a->from) : -1, a->from_at, n, value, a->branch);
    if (a->what == THROUGH) {
        add_nodes_through(graph, a, end);
        return;
    }
    if (a->what <= TURN) {
        struct cudaKernelNodeParams p = {.func = (void *)kernels[a->what],
                                         .gridDim = {grid_of(a), 1, 1},
                                         .blockDim = {BLOCK, 1, 1},
                                         .kernelParams = list};
        answer(cudaGraphAddKernelNode(&node, graph, end, after, &p));
    } else if (a->what == FILL) {
        struct cudaMemsetParams p = {to, 0, (unsigned)value, 1, n, 1};
        answer(cudaGraphAddMemsetNode(&node, graph, end, after, &p));
    } else if (a->what == COPY) {
        answer(cudaGraphAddMemcpyNode1D(&node, graph, end, after, to, from, n, cudaMemcpyDefault));
    } else {
        struct cudaHostNodeParams p = {host_function, a->call};
        answer(cudaGraphAddHostNode(&node, graph, end, after, &p));
    }
    *end = node;
}

static cudaGraph_t by_hand(const struct graph *g)
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t ends[2] = {NULL, NULL};
    say("cudaGraphCreate(&g, 0)");
    answer(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < g->count; i++)
        add_node(graph, &g->actions[i], &ends[g->actions[i].branch]);
    return graph;
}

/* The same graph in another way: as it is, a clone, inside of one that has nothing else. */
static cudaGraph_t wrapped(cudaGraph_t graph, int how)
{
    cudaGraph_t other = NULL;
    cudaGraphNode_t node;
    if (how == 0)
        return graph;
    if (how == 1) {
        say("cudaGraphClone(&g2, g)");
        answer(cudaGraphClone(&other, graph));
    } else {
        say("cudaGraphAddChildGraphNode(&n, g2, NULL, 0, g)");
        answer(cudaGraphCreate(&other, 0));
        answer(cudaGraphAddChildGraphNode(&node, other, NULL, 0, graph));
    }
    answer(cudaGraphDestroy(graph));
    return other;
}

/* One that may capture, from there on; 0 when there is none. */
static int live_stream(unsigned which)
{
    for (unsigned i = 0; i < STREAMS - 2; i++) {
        int s = 2 + (int)((which + i) % (STREAMS - 2));
        if (streams[s].live)
            return s;
    }
    return 0;
}

/* Such a graph cannot be cloned, nor be a child. */
static int allocates(const struct graph *g)
{
    int count = 0;
    for (int i = 0; i < g->count; i++)
        count += g->actions[i].what == THROUGH;
    return count;
}

static void make_graph(struct graph *g)
{
    int s = live_stream(args[1]), beside = live_stream(args[1] + 1);
    int by = args[3] / 8 % 2 || !s, mode = args[4] % 3, how = args[5] % 3, spoil = !orderly && args[6] >= 230;
    if (beside == s || spoil)
        beside = 0;
    choose_actions(g, by || beside);
    cudaGraph_t graph = by ? by_hand(g) : capture(g, s, beside, mode, spoil);
    if (!by && spoil)
        return;
    graph = wrapped(graph, allocates(g) ? 0 : how);
    say("cudaGraphInstantiate(&x%d, g, 0)", (int)(g - graphs));
    answer(cudaGraphInstantiate(&g->exec, graph, 0));
    say("cudaGraphDestroy(g)");
    answer(cudaGraphDestroy(graph));
}

static void launch_graph(const struct graph *g)
{
    int s = stream_of(args[4]);
    for (int i = 0; i < g->count; i++)
        if (!may_run(&g->actions[i]))
            return;
    want(!streams[s].live, cudaErrorInvalidResourceHandle);
    if (streams[s].live)
        own_all(g->actions, g->count, s);
    say("cudaGraphLaunch(x%d, s%d)", (int)(g - graphs), s);
    if (answer(cudaGraphLaunch(g->exec, streams[s].handle)))
        for (int i = 0; i < g->count; i++)
            apply(&g->actions[i]);
}

void graph_calls(void)
{
    struct graph *g = &graphs[args[7] % GRAPHS];
    if (!g->exec) {
        make_graph(g);
    } else if (args[3] >= 16) {
        launch_graph(g);
    } else {
        destroy(g);
    }
}

void work_begin(void)
{
    memset(graphs, 0, sizeof graphs);
    call_count = 0;
    through = 0;
    say("cudaEventCreate(&fork), cudaEventCreate(&join)");
    answer(cudaEventCreateWithFlags(&fork_event, cudaEventDisableTiming));
    answer(cudaEventCreateWithFlags(&join_event, cudaEventDisableTiming));
}
