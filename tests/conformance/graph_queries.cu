/* SPDX-License-Identifier: MIT */
/* What the calls that list a graph's nodes and edges answer: for none, for fewer than there are, for more;
 * and whose memory a graph may free. */
#include <cuda_runtime.h>
#include "probe.h"

static cudaGraph_t graph;
static cudaGraphNode_t made[3], list[5], to[5];
static size_t n;

static void prepare(int count)
{
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < count; i++)
        cudaGraphAddEmptyNode(&made[i], graph, i ? &made[i - 1] : NULL, i ? 1 : 0);
    memset(list, 1, sizeof list);
}

static void count_of(const char *what)
{
    int nulls = 0;
    for (cudaGraphNode_t node : list)
        nulls += node == NULL;
    SAY("%s: n is %zu, %d of 5 are NULL", what, n, nulls);
}

static void ask_all(size_t room)
{
    n = room, memset(list, 1, sizeof list);
    ASK(cudaGraphGetNodes(graph, list, &n));
    count_of("nodes");
    n = room, memset(list, 1, sizeof list);
    ASK(cudaGraphGetRootNodes(graph, list, &n));
    count_of("roots");
    n = room, memset(list, 1, sizeof list);
    ASK(cudaGraphGetEdges(graph, list, to, NULL, &n));
    count_of("edges");
}

static void an_empty_graph()
{
    prepare(0);
    ask_all(0);
    ask_all(1);
    n = 7;
    ASK(cudaGraphGetNodes(graph, NULL, &n));
    SAY("n is %zu", n);
}

static void room_for_none()
{
    prepare(3);
    ask_all(0);
}

static void too_little_room()
{
    prepare(3);
    ask_all(1);
}

static void more_than_enough()
{
    prepare(3);
    ask_all(5);
}

static void of_a_node()
{
    prepare(3);
    for (size_t room : {0, 1, 3}) {
        n = room, memset(list, 1, sizeof list);
        ASK(cudaGraphNodeGetDependencies(made[0], list, NULL, &n));
        count_of("before the first");
        n = room, memset(list, 1, sizeof list);
        ASK(cudaGraphNodeGetDependentNodes(made[0], list, NULL, &n));
        count_of("after the first");
    }
}

static void freed_by_another_graph()
{
    cudaStream_t s;
    cudaGraph_t first, second;
    cudaGraphExec_t run_first, run_second;
    void *p = NULL;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    ASK(cudaMallocAsync(&p, 1 << 20, s));
    cudaStreamEndCapture(s, &first);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    ASK(cudaFreeAsync(p, s));
    ASK(cudaStreamEndCapture(s, &second));
    ASK(cudaGraphInstantiate(&run_first, first, 0));
    ASK(cudaGraphInstantiate(&run_second, second, 0));
    for (int i = 0; i < 2; i++) {
        ASK(cudaGraphLaunch(run_first, s));
        ASK(cudaGraphLaunch(run_second, s));
        ASK(cudaStreamSynchronize(s));
    }
    ASK(cudaGraphLaunch(run_second, s));
    ASK(cudaStreamSynchronize(s));
}

int main()
{
    CASE(an_empty_graph);
    CASE(room_for_none);
    CASE(too_little_room);
    CASE(more_than_enough);
    CASE(of_a_node);
    CASE(freed_by_another_graph);
    return 0;
}
