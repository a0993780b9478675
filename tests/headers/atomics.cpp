/* SPDX-License-Identifier: MIT */
/* Atomics: the old value, the wrapping counters, and no lost update between threads of the host. */
#include <sim/atomic.h>
#include <pthread.h>
#include <string.h>
#include "check.h"

static float total;
static unsigned ring;

static void *add_many(void *)
{
    for (int i = 0; i < 100000; i++) {
        atomicAdd(&total, 1.0f);
        atomicInc(&ring, 6);
    }
    return NULL;
}

static void old_values()
{
    int i = 10;
    EXPECT(atomicAdd(&i, 5) == 10 && atomicSub(&i, 1) == 15 && atomicMin(&i, -3) == 14 &&
           atomicMax(&i, 4) == -3);
    EXPECT(atomicCAS(&i, 4, 9) == 4 && atomicCAS(&i, 4, 1) == 9 && atomicExch(&i, 12) == 9 && i == 12);
    EXPECT(atomicAnd(&i, 10) == 12 && atomicOr(&i, 1) == 8 && atomicXor(&i, -1) == 9 && i == ~9);
    unsigned u = 2;
    EXPECT(atomicInc(&u, 2) == 2 && u == 0 && atomicDec(&u, 5) == 0 && u == 5 && atomicDec(&u, 4) == 5 &&
           u == 4);
    EXPECT(atomicMax(&u, 0xffffffffu) == 4 && atomicAdd_system(&u, 2u) == 0xffffffff &&
           atomicMin_block(&u, 0u) == 1);
    unsigned long long l = 1ull << 40;
    EXPECT(atomicAdd(&l, 1ull) == 1ull << 40 && atomicExch(&l, 3ull) == (1ull << 40) + 1 &&
           atomicCAS(&l, 3ull, 4ull) == 3);
    long long s = -1;
    EXPECT(atomicMin(&s, -9ll) == -1 && atomicMax(&s, 5ll) == -9 && s == 5);
    double d = 0.5;
    float f = 1.5f;
    EXPECT(atomicAdd(&d, 0.25) == 0.5 && d == 0.75 && atomicExch(&f, 2.5f) == 1.5f &&
           atomicAdd(&f, 1.0f) == 2.5f);
    unsigned short h = 7;
    EXPECT(atomicCAS(&h, (unsigned short)7, (unsigned short)8) == 7 && h == 8);
    float2 v = {1, 2};
    const float2 before = atomicAdd(&v, float2{10, 20});
    EXPECT(before.x == 1 && before.y == 2 && v.x == 11 && v.y == 22);
}

int main()
{
    old_values();
    pthread_t threads[4];
    for (pthread_t &t : threads)
        pthread_create(&t, NULL, add_many, NULL);
    for (pthread_t &t : threads)
        pthread_join(t, NULL);
    EXPECT(total == 400000 && ring == 400000 % 7, "%g %u", total, ring);
    return failures != 0;
}
