// SPDX-License-Identifier: MIT
// A kernel called like a function.
// build: fail
// expect: build_plain_call.cu:@LINE:call@
__global__ void fill(int *p)
{
    *p = 1;
}

int main()
{
    int *d;
    cudaMalloc(&d, 4);
    fill(d); // call
    return 0;
}
