/* SPDX-License-Identifier: MIT */
LAB_PREDICT(array_bytes, 8000);
LAB_PREDICT(pointer_bytes, 8);
LAB_PREDICT(blocks, 4); // rounded up

cudaError_t upload(double *d, const double *h, size_t n)
{
    return cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyHostToDevice); // bytes; the destination comes first
}

cudaError_t download(double *h, const double *d, size_t n)
{
    return cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost);
}

cudaError_t copy_on_device(double *d_to, const double *d_from, size_t n)
{
    return cudaMemcpy(d_to, d_from, n * sizeof *d_to, cudaMemcpyDeviceToDevice);
}

cudaError_t copy_any(void *to, const void *from, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDefault); // host and device share one range of addresses
}

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) // the last block has threads without an element
        out[n - 1 - i] = in[i];
}

cudaError_t reverse_on_device(const double *h_in, double *h_out, size_t n)
{
    double *d_in = NULL, *d_out = NULL;
    cudaError_t error = cudaSuccess;
    if (n == 0) // a grid of 0 blocks is refused
        return cudaSuccess;
    if ((error = cudaMalloc(&d_in, n * sizeof *d_in)) != cudaSuccess)
        goto out;
    if ((error = cudaMalloc(&d_out, n * sizeof *d_out)) != cudaSuccess)
        goto out;
    if ((error = upload(d_in, h_in, n)) != cudaSuccess)
        goto out;
    reverse_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>(d_in, d_out, n);
    if ((error = cudaGetLastError()) != cudaSuccess) // a launch returns nothing: ask
        goto out;
    error = download(h_out, d_out, n); // waits for the kernel
out:
    cudaFree(d_out); // NULL is fine, so one way out serves all
    cudaFree(d_in);
    return error;
}
