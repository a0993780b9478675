// SPDX-License-Identifier: MIT
// Managed memory reads zero, also where another block was freed.
#include <cstdio>
#include <cstring>

int main()
{
    const size_t bytes = 1 << 20;
    char *keep[3], *m;
    for (char *&k : keep)
        cudaMallocManaged(&k, 64); // so that the pages stay
    int wrong = 0;
    for (int i = 0; i < 16; i++) {
        cudaMallocManaged(&m, bytes);
        for (size_t at = 0; at < bytes; at++)
            wrong += m[at] != 0;
        memset(m, 1, bytes);
        cudaFree(m);
    }
    for (char *k : keep)
        cudaFree(k);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
