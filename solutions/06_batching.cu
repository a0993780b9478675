/* SPDX-License-Identifier: MIT */
LAB_PREDICT(operations, 5 * FEW); // allocate, copy up, launch, copy down, free
LAB_PREDICT(packed, 8 + 104 + 8 + 40 + 64 + 8 + 24 + 9); // nothing follows the last: it is not rounded up

size_t pack(const int *n, int count, size_t align, size_t *at)
{
    size_t end = 0;
    for (int k = 0; k < count; k++) {
        at[k] = (end + align - 1) & ~(align - 1); // the next multiple: align is a power of two
        end = at[k] + n[k];
    }
    return end;
}

__global__ void solve_all(const int *n, const size_t *at, unsigned *x)
{
    int k = blockIdx.x; // all lanes read the same n and at: one sector each
    solve(n[k], x + at[k]);
}

cudaError_t enqueue(const struct batch *b, cudaStream_t stream)
{
    size_t bytes = b->total * sizeof *b->x;
    if (!b->count)
        return cudaSuccess;
    cudaError_t error = cudaMemcpyAsync(b->d_x, b->x, bytes, cudaMemcpyHostToDevice, stream);
    solve_all<<<b->count, WARP, 0, stream>>>(b->d_n, b->d_at, b->d_x);
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(b->x, b->d_x, bytes, cudaMemcpyDeviceToHost, stream);
    return error;
}

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (error != cudaSuccess)
        return error;
    error = queue(b, stream);
    cudaError_t ended = cudaStreamEndCapture(stream, &graph); // after an error, too: nobody else ends it
    if (error == cudaSuccess)
        error = ended;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph); // *exec has all that it needs
    return error;
}
