/* SPDX-License-Identifier: MIT */
/*
 * Calls by chance, against a simple model (model.h) of the runtime: what each must answer, the last error,
 * what every buffer holds, how much memory is in use. An input is a row of calls, eight bytes each.
 *
 *   orderly inputs  (last byte odd) make no mistake and order what they do: the checked build finds nothing
 *   the others      have wrong arguments, freed pointers, dead handles, work that nothing orders
 */
#include "model.h"
#include <sim/check.h>

static void one_call(void)
{
    static void (*const often[])(void) = {allocate,    allocate,      release, fill,       fill,
                                          stream_calls, event_calls,   host_writes, register_host, ask,
                                          work,        work,          work,    graph_calls, graph_calls,
                                          graph_calls, pool_calls,    space_calls, space_calls, space_calls};
    enum { OFTEN = sizeof often / sizeof *often, COPIES = 6 };
    unsigned which = args[0] % (OFTEN + COPIES + 2);
    unwant();
    if (which < OFTEN)
        often[which]();
    else if (which < OFTEN + COPIES)
        copy(which < OFTEN + 2 ? (int)(which - OFTEN) + 1 : 0, which == OFTEN + 2);
    else if (which == OFTEN + COPIES)
        verify(&memory[args[1] % MEMORIES]);
    else
        finished();
}

static char host[HOSTS][TRACKED];

static void begin(void)
{
    memset(memory, 0, sizeof memory);
    memset(streams, 0, sizeof streams);
    memset(events, 0, sizeof events);
    for (int i = 0; i < MEMORIES; i++)
        appear(&memory[i], NULL, 0, NOTHING, HOST);
    for (int i = 0; i < HOSTS; i++) {
        appear(&memory[BLOCKS + i], host[i], TRACKED, PAGEABLE, HOST);
        memset(host[i], i, TRACKED);
        put(&memory[BLOCKS + i], 0, TRACKED, i, WRITTEN);
    }
    for (int i = 0; i < STREAMS; i++) {
        streams[i].handle = cudaStreamLegacy; /* what a dead one never was is no dead handle */
        streams[i].live = i < 2;
        streams[i].blocking = i == 1;
    }
    for (int i = 2; i < STREAMS; i++)
        streams[i].handle = (cudaStream_t)&streams[i];
    streams[1].handle = cudaStreamPerThread;
    say("cudaEventCreate(&e0)");
    answer(cudaEventCreate(&events[0].handle));
    events[0].live = events[0].timed = 1;
    events[0].stream = HOST;
    work_begin();
    space_begin();
    size_t now, total;
    answer(cudaMemGetInfo(&now, &total));
    if (now != total)
        fail("at first %zu bytes are taken", total - now);
}

static void end(void)
{
    finished();
    for (int i = 0; i < MEMORIES; i++)
        verify(&memory[i]);
    check_books();
    for (int i = 0; i < BLOCKS && orderly; i++)
        if (memory[i].live) {
            say("cudaFree%s(m%d)", memory[i].kind == PINNED ? "Host" : "", i);
            answer(memory[i].kind == PINNED ? cudaFreeHost(memory[i].p) : cudaFree(memory[i].p));
            memory[i].live = 0;
        }
    finished();
    if (orderly)
        check_books();
    space_end();
    say("cudaDeviceReset()");
    answer(cudaDeviceReset());
    want(last != cudaSuccess, last);
    answer(cudaGetLastError());
    last = cudaSuccess;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < fuzz_step)
        return 0;
    unsigned before = sim_finding_total();
    orderly = data[size - 1] & 1;
    begin();
    args_end = data + size;
    for (args = data; args + fuzz_step <= args_end; args += fuzz_step)
        one_call();
    end();
    struct sim_finding f;
    for (unsigned i = 0; orderly && sim_finding_total() != before && sim_finding_at(i, &f) == 0; i++)
        if (f.latest > before)
            fail("finds something in an orderly program: %s", f.message);
    return 0;
}
