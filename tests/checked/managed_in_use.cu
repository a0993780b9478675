// SPDX-License-Identifier: MIT
/* Managed memory and the host, with both answers to concurrentManagedAccess. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

static __global__ void add(int *p)
{
    p[threadIdx.x] += 1; // update
}

// run: same
// finding: managed memory in use @host-write@ @launch@ @update@
// expect: attribute 1
// run: other
// run: after
// run: read
// finding: managed memory in use @host-read@ @launch@ @update@
// run: same
// env: SIM_CONCURRENT_MANAGED=0
// finding: managed memory in use @host-write@ @launch@
// expect: attribute 0
// expect: concurrentManagedAccess is 0
// run: other
// env: SIM_CONCURRENT_MANAGED=0
// finding: managed memory in use @host-other@ @launch@
// run: after
// env: SIM_CONCURRENT_MANAGED=0
// expect: attribute 0
// run: unrelated
// finding: managed memory in use @host-unrelated@ @kernel-of-device@
// env: SIM_CONCURRENT_MANAGED=0
// run: unrelated
// run: attached
// env: SIM_CONCURRENT_MANAGED=0
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int *a, *b, *d, attribute;
    cudaDeviceProp properties;
    cudaStream_t s;
    cudaDeviceGetAttribute(&attribute, cudaDevAttrConcurrentManagedAccess, 0);
    cudaGetDeviceProperties(&properties, 0);
    printf("attribute %d, property %d\n", attribute, properties.concurrentManagedAccess);
    cudaMallocManaged(&a, 1024);
    cudaMallocManaged(&b, 1024);
    cudaMalloc(&d, 1024);
    cudaStreamCreate(&s);
    for (int i = 0; i < 256; i++)
        a[i] = b[i] = i;
    cudaMemset(d, 0, 1024);
    if (!strcmp(what, "attached"))
        cudaStreamAttachMemAsync(s, b, 0, cudaMemAttachSingle);
    if (!strcmp(what, "unrelated"))
        add<<<1, 32>>>(d); // kernel-of-device
    else
        add<<<1, 32>>>(a); // launch
    if (!strcmp(what, "after"))
        cudaDeviceSynchronize();
    if (!strcmp(what, "same") || !strcmp(what, "after"))
        a[0] = 1; // host-write
    if (!strcmp(what, "read"))
        printf("%d\n", a[5]); // host-read
    if (!strcmp(what, "other") || !strcmp(what, "attached"))
        b[0] = 1; // host-other
    if (!strcmp(what, "unrelated"))
        b[0] = 1; // host-unrelated
    cudaDeviceSynchronize();
    printf("%d %d\n", a[3], b[0]);
    cudaStreamDestroy(s);
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
}
