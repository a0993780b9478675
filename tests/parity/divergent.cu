// SPDX-License-Identifier: MIT
// Lanes of a warp that go different ways: branches, loops of different length, early returns.
#include "parity.h"

KERNEL k_if_else(const float *in, float *out)
{
    unsigned i = THREAD;
    if (i % 2)
        out[i] = in[i] * in[i + N];
    else
        out[2 * N + i] = in[3 * i] + 1;
}
KERNEL k_if_whole_warps(const float *in, float *out)
{
    unsigned i = THREAD;
    if (i / 32 % 2)
        out[i] = in[i] * in[i + N];
    else
        out[2 * N + i] = in[3 * i] + 1;
}
KERNEL k_if_nested(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    int k = kind[i];
    if (k < 2) {
        float x = in[i];
        if (k == 0)
            out[i] = x + in[4 * i];
        out[i + N] = x;
    } else if (k == 2) {
        out[i] = in[i + 7];
    }
}
KERNEL k_early_return(const int *skip, const float *in, float *out)
{
    unsigned i = THREAD;
    if (skip[i] == 0)
        return;
    out[i] = in[i];
}
KERNEL k_switch(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    switch (kind[i]) {
    case 0:
        out[i] = in[i] + in[i + N];
        break;
    case 1:
        out[N + i] = in[2 * i] * in[2 * i + 2 * N];
        break;
    case 2:
        out[2 * N + i] = in[i / 2];
        break;
    default:
        break;
    }
}
KERNEL k_loop_trips(const int *count, const float *in, float *out)
{
    unsigned i = THREAD;
    float sum = 0;
    int n = count[i];
    ROLLED
    for (int j = 0; j < n; j++)
        sum += in[i + j * N];
    out[i] = sum;
}
KERNEL k_loop_nested(const int *count, const float *in, float *out)
{
    unsigned i = THREAD;
    float sum = 0;
    ROLLED
    for (int k = 0; k < 3; k++) {
        int n = count[i + k];
        ROLLED
        for (int j = 0; j < n; j++)
            sum += in[i + j * N];
        out[i + k * N] = sum;
    }
}
KERNEL k_loop_nested_both(const int *count, const float *in, float *out)
{
    unsigned i = THREAD;
    int m = count[i + 1] / 2;
    ROLLED
    for (int k = 0; k < m; k++) {
        int n = count[i + k];
        float sum = 0;
        ROLLED
        for (int j = 0; j < n; j++)
            sum += in[i + j * N];
        out[i + k * N] = sum;
    }
}
KERNEL k_loop_if(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    ROLLED
    for (int j = 0; j < 4; j++)
        if (kind[i + j] == j)
            out[i + j * N] = in[i + j * N] + in[2 * i];
}
KERNEL k_loop_search(const int *next, int *out)
{
    unsigned i = THREAD;
    int at = (int)i % N, steps = 0;
    ROLLED
    while (next[at] >= 0 && steps < 9) {
        at = next[at];
        steps++;
    }
    out[i] = steps;
}
KERNEL k_loop_continue(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    float sum = 0;
    ROLLED
    for (int j = 0; j < 4; j++) {
        if (kind[i + j] == 1)
            continue;
        sum += in[i + j * N];
    }
    out[i] = sum;
}
KERNEL k_loop_break(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    float sum = 0;
    ROLLED
    for (int j = 0; j < 4; j++) {
        if (kind[i + j] == 3)
            break;
        sum += in[i + j * N];
    }
    out[i] = sum;
}
KERNEL k_rows(const int *first, const int *column, const float *value, const float *x, float *y)
{
    unsigned row = THREAD;
    float sum = 0;
    int end = first[row + 1];
    ROLLED
    for (int j = first[row]; j < end; j++)
        sum += value[j] * x[column[j]];
    y[row] = sum;
}
static __device__ __noinline__ float helper(const float *in, unsigned i)
{
    return in[i] + 1;
}
KERNEL k_function(const int *kind, const float *in, float *out)
{
    unsigned i = THREAD;
    if (kind[i] < 2)
        out[i] = helper(in, i);
    else
        out[i + N] = helper(in, 2 * i) * 2;
    out[i + 2 * N] = helper(in, i + N);
}
KERNEL k_one_lane(const float *in, float *out)
{
    unsigned i = THREAD;
    if (threadIdx.x % 32 == 0)
        out[i / 32] = in[i] + in[i + 8];
}

int main()
{
    float *in = zeros<float>(8 * N), *out = zeros<float>(4 * N);
    int *kind = values(N + 8, [](unsigned i) { return hash(i) % 4; });
    int *count = values(N + 8, [](unsigned i) { return hash(i + 77) % 8; });
    int *next = values(N, [](unsigned i) { return hash(i) % 5 ? (int)(hash(i + 1) % N) : -1; });
    int *first = values(N + 1, [](unsigned i) { return 4 * i + hash(i) % 4; });
    int *column = values(4 * N + 4, [](unsigned i) { return hash(i) % N; });
    RUN(k_if_else, GRID, BLOCK, in, out);
    RUN(k_if_whole_warps, GRID, BLOCK, in, out);
    RUN(k_if_nested, GRID, BLOCK, kind, in, out);
    RUN(k_early_return, GRID, BLOCK, kind, in, out);
    RUN(k_switch, GRID, BLOCK, kind, in, out);
    RUN(k_loop_trips, GRID, BLOCK, count, in, out);
    RUN(k_loop_nested, GRID, BLOCK, count, in, out);
    RUN(k_loop_nested_both, GRID, BLOCK, count, in, out);
    RUN(k_loop_if, GRID, BLOCK, kind, in, out);
    RUN(k_loop_search, GRID, BLOCK, next, (int *)out);
    RUN(k_loop_continue, GRID, BLOCK, kind, in, out);
    RUN(k_loop_break, GRID, BLOCK, kind, in, out);
    RUN(k_rows, GRID, BLOCK, first, column, in, in, out);
    RUN(k_function, GRID, BLOCK, kind, in, out);
    RUN(k_one_lane, GRID, BLOCK, in, out);
    int *indices[] = {kind, count, next, first, column};
    for (int *p : indices)
        CHECK(cudaFree(p));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
