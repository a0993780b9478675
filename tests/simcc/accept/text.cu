/* SPDX-License-Identifier: MIT */
/* A macro that prints its argument prints what the student wrote. */
#include <cstdio>
#include <cstring>

static int bad;
static void same(const char *got, const char *wanted)
{
    if (strcmp(got, wanted))
        printf("wanted %s\ngot    %s\n", wanted, got), bad = 1;
}
static int check(int, const char *text, const char *wanted)
{
    same(text, wanted);
    return 0;
}
#define CHECK(x, wanted) check((x), #x, wanted)
#define DEEP(x, wanted) CHECK(x, wanted)
#define JOIN(x, wanted) same("[" #x "]", wanted), (void)(x)
#define LAUNCH(K, ...) K<<<1, 2>>>(__VA_ARGS__)

template <class T> __global__ void kt(T) {}
template <int N, class T, class U> __global__ void kn(T, U) {}
__global__ void k(int) {}

int main()
{
    CHECK((k<<<1, 2>>>(3), cudaGetLastError()), "(k<<<1, 2>>>(3), cudaGetLastError())");
    CHECK((kt<<<1, 2>>> (3), 0), "(kt<<<1, 2>>> (3), 0)");
    DEEP((k<<<1,2,0>>>(3), 0), "(k<<<1,2,0>>>(3), 0)");
    JOIN((k<<<1, 2>>>(3), 1), "[(k<<<1, 2>>>(3), 1)]");
    JOIN((LAUNCH(k, '<'), 1), "[(LAUNCH(k, '<'), 1)]");
    DEEP((kt<<<1, 2>>>('<'), LAUNCH(kt, 2), 0), "(kt<<<1, 2>>>('<'), kt<<<1, 2>>>(2), 0)");
    CHECK((kn<4, float><<<1, 2>>>(2.0f, 1), 0), "(kn<4, float><<<1, 2>>>(2.0f, 1), 0)");
    CHECK(cudaGetLastError(), "cudaGetLastError()");
    same("k<<<1,2>>>(3)", "k<<<" "1,2>>>(3)"); /* <<< in a comment */
    cudaDeviceSynchronize();
    return bad;
}
