// SPDX-License-Identifier: MIT
// A block leaked in every round of a loop: one line for the place, with count and bytes.
// expect: 100
// expect: 409600
// expect: leak_in_a_loop.cu:@LINE:allocated@
// exit: any
int main()
{
    for (int i = 0; i < 100; i++) {
        void *p;
        cudaMalloc(&p, 4096); // allocated
    }
    return 0;
}
