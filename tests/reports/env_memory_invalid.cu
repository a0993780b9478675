// SPDX-License-Identifier: MIT
// A setting that cannot be understood is said so by name, not ignored.
// env: SIM_MEMORY=banana
// expect: SIM_MEMORY
// expect: banana
// exit: any
int main()
{
    void *p;
    return cudaMalloc(&p, 1 << 20);
}
