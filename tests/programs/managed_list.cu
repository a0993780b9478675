// SPDX-License-Identifier: MIT
// A linked list in managed memory: the same pointers are followed on the host and in a kernel.
#include <cstdio>
#include <new>

struct managed {
    static void *operator new(size_t bytes)
    {
        void *p = NULL;
        if (cudaMallocManaged(&p, bytes) != cudaSuccess)
            throw std::bad_alloc();
        return p;
    }
    static void operator delete(void *p)
    {
        cudaFree(p);
    }
};

struct node : managed {
    int value;
    node *next;
    node(int v, node *n) : value(v), next(n) {}
};

__managed__ int longest = 0;

__global__ void sum_kernel(node *const *heads, int lists, int *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, length = 0;
    if (i >= lists)
        return;
    sums[i] = 0;
    for (node *p = heads[i]; p; p = p->next) {
        sums[i] += p->value;
        p->value = -p->value;
        length++;
    }
    atomicMax(&longest, length);
}

int main()
{
    const int lists = 37;
    node **heads;
    int *sums, wrong = 0;
    cudaMallocManaged(&heads, lists * sizeof *heads);
    cudaMallocManaged(&sums, lists * sizeof *sums);
    for (int i = 0; i < lists; i++) {
        heads[i] = NULL;
        for (int k = 0; k <= i; k++)
            heads[i] = new node(k + 1, heads[i]);
    }
    sum_kernel<<<2, 32>>>(heads, lists, sums);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < lists; i++) {
        wrong += sums[i] != (i + 1) * (i + 2) / 2;
        wrong += heads[i]->value != -(i + 1);
        while (heads[i]) {
            node *rest = heads[i]->next;
            delete heads[i];
            heads[i] = rest;
        }
    }
    wrong += longest != lists;
    cudaFree(heads);
    cudaFree(sums);
    std::printf("managed_list: %d wrong\n", wrong);
    return wrong != 0;
}
