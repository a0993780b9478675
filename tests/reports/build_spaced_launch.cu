// SPDX-License-Identifier: MIT
// Launch brackets torn apart.
// build: fail
// expect: build_spaced_launch.cu:@LINE:launch@
// expect: <<<
__global__ void fill(int *p)
{
    *p = 1;
}

int main()
{
    int *d;
    cudaMalloc(&d, 4);
    fill< < <1, 2> > >(d); // launch
    return 0;
}
