/* SPDX-License-Identifier: MIT */
LAB_PREDICT(b_after_a, 0);
LAB_PREDICT(a_after_default, 1);
LAB_PREDICT(n_after_default, 0);
LAB_PREDICT(b_after_both, 1); // the default stream waits for a, and b for the default stream

LAB_PREDICT(serial, 16);
LAB_PREDICT(pipelined, 9); // copy 0, and then a kernel a step; the other copies run beside them

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    cudaError_t error = cudaEventRecord(event, first);
    return error ? error : cudaStreamWaitEvent(second, event, 0); // the stream waits, not the host
}

static cudaError_t copy_chunk(lanes *p, const unsigned *h_in, int n, int chunk, int k)
{
    int count = n - k * chunk < chunk ? n - k * chunk : chunk;
    return count <= 0 ? cudaSuccess
                      : cudaMemcpyAsync(p->d[k % 2], h_in + k * chunk, count * sizeof *h_in,
                                        cudaMemcpyHostToDevice, p->copy);
}

cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds)
{
    cudaError_t error = copy_chunk(p, h_in, n, chunk, 0);
    for (int k = 0; k * chunk < n && error == cudaSuccess; k++) {
        int count = n - k * chunk < chunk ? n - k * chunk : chunk;
        error = order(p->copy, p->compute, p->event); // chunk k is there; the copy below is not meant
        if (error == cudaSuccess)
            error = order(p->compute, p->copy, p->event); // kernel k - 1 is done with the other buffer
        if (error == cudaSuccess)
            error = copy_chunk(p, h_in, n, chunk, k + 1);
        if (error == cudaSuccess) {
            work<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, p->compute>>>(p->d[k % 2], d_out + k * chunk, count,
                                                                        rounds);
            error = cudaGetLastError();
        }
    }
    return error;
}

cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e)
{
    unsigned *scratch;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaError_t error = cudaMallocAsync(&scratch, n * sizeof *scratch, a);
    if (error != cudaSuccess)
        return error;
    work<<<blocks, BLOCK, 0, a>>>(in, scratch, n, 1);
    error = order(a, b, e); // the allocation too: memory is there for b only behind it
    work<<<blocks, BLOCK, 0, b>>>(scratch, out, n, 1);
    cudaError_t launched = cudaGetLastError();
    cudaError_t freed = cudaFreeAsync(scratch, b); // where it was used last
    return error ? error : launched ? launched : freed;
}
