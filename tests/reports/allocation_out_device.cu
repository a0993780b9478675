// SPDX-License-Identifier: MIT
// The pointer is cast in place of its address being taken. It holds an address of the device.
// expect: HOST code wrote device memory
// expect: at      allocation_out_device.cu:@LINE:again@ in main
// expect: cudaMalloc at allocation_out_device.cu:@LINE:first@
// exit: signal
int main()
{
    int *p;
    cudaMalloc(&p, 64); // first
    cudaMalloc((void **)p, 4); // again
    return 0;
}
