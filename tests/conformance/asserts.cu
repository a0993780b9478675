/* SPDX-License-Identifier: MIT */
/* assert() in a kernel: what is printed, and the sticky error it leaves. The text goes to stderr in an
 * order that only one device keeps, so it is caught, cut to the file's name, sorted and then printed. */
#include "probe.h"
#include <assert.h>

static FILE *caught;

static void catch_stderr()
{
    fflush(stderr);
    caught = tmpfile();
    dup2(fileno(caught), STDERR_FILENO);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_assertions()
{
    static char text[256][200], *lines[256];
    int n = 0;
    rewind(caught);
    while (n < 256 && fgets(text[n], sizeof text[n], caught)) {
        char *start = strstr(text[n], "asserts.cu:");
        text[n][strcspn(text[n], "\n")] = 0;
        if (start && strstr(start, "Assertion"))
            lines[n++] = start;
    }
    qsort(lines, n, sizeof lines[0], by_text);
    for (int i = 0; i < n; i++)
        SAY("%s", lines[i]);
}

__global__ static void below(unsigned n)
{
    assert(threadIdx.x < n);
}

__global__ static void is_one(int v)
{
    assert(v == 1 && "v must be one");
}

__global__ void never(int v)
{
    assert(v != v);
}

static void some_threads_of_two_blocks()
{
    void *p;
    catch_stderr();
    below<<<2, 32>>>(28);
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(&p, 4));
    print_assertions();
}

static void one_thread_with_a_message()
{
    catch_stderr();
    is_one<<<1, 1>>>(2);
    ASK(cudaDeviceSynchronize());
    print_assertions();
}

static void holds()
{
    catch_stderr();
    below<<<2, 32>>>(32);
    is_one<<<1, 1>>>(1);
    ASK(cudaDeviceSynchronize());
    print_assertions();
}

static void in_two_dimensions()
{
    catch_stderr();
    never<<<dim3(1, 1), dim3(1, 2, 2)>>>(0);
    ASK(cudaDeviceSynchronize());
    print_assertions();
}

#undef assert
#define NDEBUG
#include <assert.h>

__global__ static void without(int v)
{
    assert(v == 1);
    (void)v;
}

static void with_ndebug()
{
    catch_stderr();
    without<<<1, 1>>>(2);
    ASK(cudaDeviceSynchronize());
    print_assertions();
}

int main()
{
    CASE(some_threads_of_two_blocks);
    CASE(one_thread_with_a_message);
    CASE(holds);
    CASE(in_two_dimensions);
    CASE(with_ndebug);
    return 0;
}
