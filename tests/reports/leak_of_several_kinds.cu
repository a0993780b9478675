// SPDX-License-Identifier: MIT
// Pinned, managed, stream-ordered and plain memory left behind at exit, each named by its call and line.
// expect: cudaMalloc
// expect: cudaMallocHost
// expect: cudaMallocManaged
// expect: cudaMallocAsync
// expect: leak_of_several_kinds.cu:@LINE:plain@
// expect: leak_of_several_kinds.cu:@LINE:pinned@
// expect: leak_of_several_kinds.cu:@LINE:managed@
// expect: leak_of_several_kinds.cu:@LINE:ordered@
// exit: any
int main()
{
    void *p;
    cudaMalloc(&p, 100); // plain
    cudaMallocHost(&p, 200); // pinned
    cudaMallocManaged(&p, 300); // managed
    cudaMallocAsync(&p, 400, 0); // ordered
    cudaDeviceSynchronize();
    return 0;
}
