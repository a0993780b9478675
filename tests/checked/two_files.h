// SPDX-License-Identifier: MIT
// Templates: both files of two_files.cu have the second, one has those before and behind it in the code.
template <class T> __device__ __noinline__ void before(T *p)
{
    if (threadIdx.x < 10)
        p[threadIdx.x] += 3;
}

template <class T> __device__ __noinline__ void both(T *p)
{
    if (threadIdx.x < 10)
        p[threadIdx.x] += 1;
}

template <class T> __device__ __noinline__ void behind(T *p)
{
    p[threadIdx.x] += 2;
}
