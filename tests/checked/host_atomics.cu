// SPDX-License-Identifier: MIT
// Host code changes by atomics what a kernel changes too. The kernel may run between the host's read and the
// compare-and-swap that finds out if it was in vain: no finding. A read that none follows is one.
//
// run: loop
// expect: sum 70
// run: other
// finding: managed memory in use @read-for-other@
// run: alone
// finding: managed memory in use @read-alone@
// run: wait
// finding: managed memory in use @read-before-wait@
// run: work
// finding: managed memory in use @read-before-work@
#include <stdio.h>
#include <string.h>
#include <time.h>

__global__ void add(int *sum)
{
    atomicAdd_system(sum, 1);
}

__global__ void nothing()
{
}

/* Long enough for the device to go on by itself. */
static void spend()
{
    while (clock() < CLOCKS_PER_SEC * 3 / 2)
        ;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "loop";
    int *sum, old = 0;
    cudaMallocManaged(&sum, 2 * sizeof *sum);
    sum[0] = sum[1] = 0;
    cudaDeviceSynchronize();
    add<<<2, 32>>>(sum);
    if (!strcmp(how, "loop")) {
        for (int i = 0; i < 6; i++)
            do {
                old = sum[0];
                if (i == 3)
                    spend();
            } while (__sync_val_compare_and_swap(&sum[0], old, old + 1) != old);
    } else if (!strcmp(how, "other")) {
        old = sum[0]; // read-for-other
        spend();
        __sync_fetch_and_add(&sum[1], 1);
    } else if (!strcmp(how, "alone")) {
        old = sum[0]; // read-alone
        spend();
    } else if (!strcmp(how, "wait")) {
        old = sum[0]; // read-before-wait
        spend();
        cudaDeviceSynchronize();
    } else {
        old = sum[0]; // read-before-work
        spend();
        nothing<<<1, 1>>>();
    }
    cudaDeviceSynchronize();
    printf("sum %d\n", sum[0]);
    cudaFree(sum);
    return old < 0;
}
