/* SPDX-License-Identifier: MIT */
/* Half and bfloat16 on the host: all 65,536 values both ways, an H200's roundings, one rounding in an fma. */
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <math.h>
#include <string.h>
#include "check.h"

static const struct {
    float from;
    unsigned half, bfloat16;
} h200[] = {
    {65504, 0x7bff, 0x4780},
    {65519.9883f, 0x7bff, 0x4780},
    {65520, 0x7c00, 0x4780},
    {9.99999994e-09f, 0x0000, 0x322c},
    {5.96046448e-08f, 0x0001, 0x3380},
    {2.98023224e-08f, 0x0000, 0x3300},
    {2.99999989e-08f, 0x0001, 0x3301},
    {1.00097656f, 0x3c01, 0x3f80},
    {1.00048828f, 0x3c00, 0x3f80},
    {2049, 0x6800, 0x4500},
    {2051, 0x6802, 0x4500},
    {NAN, 0x7fff, 0x7fff},
    {INFINITY, 0x7c00, 0x7f80},
    {-0.0f, 0x8000, 0x8000},
    {3.38953139e+38f, 0x7c00, 0x7f7f},
    {1.00390625f, 0x3c04, 0x3f80},
    {1.01171875f, 0x3c0c, 0x3f82},
};

static unsigned bits(half v) { return __half_as_ushort(v); }
static unsigned bits(__nv_bfloat16 v) { return __bfloat16_as_ushort(v); }

static unsigned next_random()
{
    static unsigned long long state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 32);
}

static void table()
{
    for (const auto &row : h200) {
        EXPECT(bits(__float2half(row.from)) == row.half, "%.9g gives %04x", row.from,
               bits(__float2half(row.from)));
        EXPECT(bits(__float2bfloat16(row.from)) == row.bfloat16, "%.9g", row.from);
    }
}

static void round_trips()
{
    for (unsigned i = 0; i < 0x10000; i++) {
        const half h = __ushort_as_half((unsigned short)i);
        const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
        const unsigned back = bits(__float2half(__half2float(h))),
                       back_b = bits(__float2bfloat16(__bfloat162float(b)));
        EXPECT(back == (__hisnan(h) ? 0x7fff : i), "%04x comes back as %04x", i, back);
        EXPECT(back_b == (__hisnan(b) ? 0x7fff : i), "%04x comes back as %04x", i, back_b);
        EXPECT(bits(half((double)(float)h)) == back || __hisnan(h), "%04x by double", i);
        const float down = __half2float(__float2half_rd(nextafterf(__half2float(h), 1e9f)));
        EXPECT(!(fabsf(down) < 65504) || down == __half2float(h), "%04x: the next float goes down to %g", i,
               down);
    }
}

static void rounding_modes()
{
    for (int n = 0; n < 2000000; n++) {
        const unsigned random = next_random();
        const float f = __builtin_bit_cast(float, n & 1 ? random : (random & 0x8fffffff) | 0x30000000);
        if (f != f)
            continue;
#if defined(__FLT16_MANT_DIG__) && !defined(__clang__)
        const _Float16 native = (_Float16)f;
        unsigned short wanted;
        memcpy(&wanted, &native, 2);
        EXPECT(bits(__float2half_rn(f)) == wanted, "%a gives %04x, not %04x", f, bits(__float2half_rn(f)),
               wanted);
#endif
        const float lo = __half2float(__float2half_rd(f)), hi = __half2float(__float2half_ru(f));
        const float rz = __half2float(__float2half_rz(f)), rn = __half2float(__float2half_rn(f));
        EXPECT(lo <= f && f <= hi && (rn == lo || rn == hi) && rz == (f < 0 ? hi : lo), "%a half", f);
        const float lo_b = __bfloat162float(__float2bfloat16_rd(f)),
                    hi_b = __bfloat162float(__float2bfloat16_ru(f));
        const float rn_b = __bfloat162float(__float2bfloat16_rn(f)),
                    rz_b = __bfloat162float(__float2bfloat16_rz(f));
        EXPECT(lo_b <= f && f <= hi_b && (rn_b == lo_b || rn_b == hi_b) && rz_b == (f < 0 ? hi_b : lo_b),
               "%a", f);
    }
}

static void arithmetic()
{
    /* the product is a tie that only the addend breaks: two roundings would lose it */
    const __nv_bfloat16 a = 129.0f / 128, b = 192.0f, tiny = 0x1p-100f;
    EXPECT((float)(a * b) == 194 && (float)__hfma(a, b, tiny) == 194 && (float)__hfma(a, b, -tiny) == 193);
    EXPECT((float)__hfma(half(1 + 0x1p-10f), half(1 - 0x1p-10f), half(-1.0f)) == -0x1p-20f);
    half sum = 0.0f;
    __nv_bfloat16 sum_b = 0.0f;
    for (int i = 0; i < 10000; i++)
        sum += half(1.0f), sum_b += __nv_bfloat16(1.0f);
    EXPECT((float)sum == 2048 && (float)sum_b == 256);
    EXPECT(__hisinf(half(300.0f) * half(300.0f)) == 1 && __hisnan(half(INFINITY) - half(INFINITY)));
    EXPECT(bits(half(0.0f) / half(0.0f)) == 0x7fff && bits(__hneg(half(NAN))) == 0x7fff);
    EXPECT((float)__hmin(half(NAN), half(2.0f)) == 2 && __hisnan(__hmin_nan(half(NAN), half(2.0f))));
    EXPECT(bits(__hmax(half(-0.0f), half(0.0f))) == 0 && bits(__hadd_sat(half(-3.0f), half(1.0f))) == 0);
    EXPECT(!(half(NAN) == half(NAN)) && half(NAN) != half(NAN) && __hltu(half(NAN), half(1.0f)));
    EXPECT(__half2int_rn(half(2.5f)) == 2 && __half2int_ru(half(2.5f)) == 3 &&
           __half2int_rd(half(-2.5f)) == -3);
    EXPECT(__half2int_rz(half(INFINITY)) == 0x7fffffff && __half2int_rz(half(NAN)) == 0);
    EXPECT(__half2uint_rz(half(-1.0f)) == 0 && __half2short_rz(half(65504.0f)) == 32767);
    EXPECT(bits(__int2half_rn(65519)) == 0x7bff && bits(__int2half_rn(65520)) == 0x7c00);
    EXPECT(bits(__ll2bfloat16_rn(0x4040000000000001ll)) == 0x5e81, "%04x",
           bits(__ll2bfloat16_rn(0x4040000000000001ll)));
    const half2 v = __floats2half2_rn(1, 2);
    EXPECT(__low2float(v * v + v) == 2 && __high2float(__hfma2(v, v, v)) == 6 && v == v && __hbgt2(v + v, v));
    EXPECT(__heq2_mask(v, __half2half2(__low2half(v))) == 0xffff && (float)hsqrt(half(9.0f)) == 3);
    EXPECT((float)half(__nv_bfloat16(1.5f)) == 1.5f && (int)half(7.9f) == 7 && !half(-0.0f));
}

int main()
{
    table();
    round_trips();
    rounding_modes();
    arithmetic();
    return failures != 0;
}
