// SPDX-License-Identifier: MIT
// Double buffering: chunks go up, are worked on and come back in two streams; events say when a pinned
// staging buffer may be filled again.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
    if (cudaError_t error = (call)) {                                                                        \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                       \
        exit(1);                                                                                             \
    }

__global__ void square_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

int main()
{
    const int chunk = 10000, chunks = 9, last = 1234;
    const int n = (chunks - 1) * chunk + last;
    float *source = (float *)malloc(n * sizeof(float)), *result = (float *)malloc(n * sizeof(float));
    float *staged[2], *returned[2], *d_x[2];
    cudaStream_t stream[2];
    cudaEvent_t done[2];
    for (int i = 0; i < n; i++)
        source[i] = (float)(i % 1000);
    for (int b = 0; b < 2; b++) {
        CHECK(cudaMallocHost(&staged[b], chunk * sizeof(float)));
        CHECK(cudaMallocHost(&returned[b], chunk * sizeof(float)));
        CHECK(cudaMalloc(&d_x[b], chunk * sizeof(float)));
        CHECK(cudaStreamCreateWithFlags(&stream[b], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[b], cudaEventDisableTiming));
    }
    for (int c = 0; c < chunks + 2; c++) {
        int b = c % 2;
        if (c >= 2) { // what this buffer held two rounds ago has come back
            int count = c - 2 == chunks - 1 ? last : chunk;
            CHECK(cudaEventSynchronize(done[b]));
            for (int i = 0; i < count; i++)
                result[(c - 2) * chunk + i] = returned[b][i];
        }
        if (c < chunks) {
            int count = c == chunks - 1 ? last : chunk;
            size_t bytes = count * sizeof(float);
            for (int i = 0; i < count; i++)
                staged[b][i] = source[c * chunk + i];
            CHECK(cudaMemcpyAsync(d_x[b], staged[b], bytes, cudaMemcpyHostToDevice, stream[b]));
            square_kernel<<<(count + 127) / 128, 128, 0, stream[b]>>>(d_x[b], count);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpyAsync(returned[b], d_x[b], bytes, cudaMemcpyDeviceToHost, stream[b]));
            CHECK(cudaEventRecord(done[b], stream[b]));
        }
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += result[i] != source[i] * source[i];
    for (int b = 0; b < 2; b++) {
        CHECK(cudaEventDestroy(done[b]));
        CHECK(cudaStreamDestroy(stream[b]));
        CHECK(cudaFree(d_x[b]));
        CHECK(cudaFreeHost(staged[b]));
        CHECK(cudaFreeHost(returned[b]));
    }
    free(source);
    free(result);
    printf("double_buffer: %d wrong\n", wrong);
    return wrong != 0;
}
