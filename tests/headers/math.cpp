/* SPDX-License-Identifier: MIT */
/* CUDA's mathematics against known values, and roundings against the definition. */
#include <sim/math.h>
#include "check.h"

static void close_to(double got, double wanted, double ulps, int line)
{
    if (!(fabs(got - wanted) <= ulps * 2.3e-16 * fabs(wanted)) && failures++ < 20)
        printf("line %d: %.17g, wanted %.17g\n", line, got, wanted);
}
#define CLOSE(got, wanted, ulps) close_to(got, wanted, ulps, __LINE__)

static void functions()
{
    CLOSE(rsqrt(4.0), 0.5, 0);
    CLOSE(rcbrt(27.0), 1.0 / 3, 1);
    EXPECT(sinpi(1.0) == 0 && sinpi(0.5) == 1 && cospi(0.5) == 0 && cospi(1.0) == -1 && sinpi(-2.5) == -1);
    CLOSE(sinpi(1e6 + 0.25), 0.70710678118654752, 2);
    CLOSE(cospi(0.75), -0.70710678118654752, 2);
    CLOSE(normcdf(1.0), 0.84134474606854293, 2);
    CLOSE(normcdf(-10.0), 7.6198530241605260e-24, 20);
    CLOSE(normcdfinv(0.975), 1.9599639845400543, 4);
    CLOSE(erfinv(0.5), 0.47693627620446987, 2);
    CLOSE(erfinv(1e-300), 8.862269254527580e-301, 4);
    CLOSE(erfcinv(1e-20), 6.6015806223551426, 4);
    CLOSE(erfcx(1.0), 0.42758357615580700, 4);
    CLOSE(erfcx(30.0), 0.018795888861416751, 4);
    CLOSE(cyl_bessel_i0(1.0), 1.2660658777520084, 4);
    CLOSE(cyl_bessel_i1(2.0), 1.5906368546373291, 4);
    CLOSE(norm3d(2, 3, 6), 7, 2);
    CLOSE(rhypot(3.0, 4.0), 0.2, 2);
    EXPECT(erfinv(1.0) == INFINITY && isnan(erfinv(1.5)) && erfcinv(2.0) == -INFINITY && erfinv(0.0) == 0);
    float s, c;
    sincospif(0.5f, &s, &c);
    EXPECT(s == 1 && c == 0 && norm3df(1, 2, 2) == 3 && rsqrtf(16) == 0.25f && exp10f(2) == 100);
    EXPECT(__saturatef(2) == 1 && __saturatef(-1) == 0 && __saturatef(NAN) == 0 && __fdividef(6, 3) == 2);
    EXPECT(__expf(0) == 1 && __powf(2, 10) == 1024 && __log2f(8) == 3);
}

static void integers()
{
    EXPECT(min(-1, 1u) == 1 && max(-1, 1u) == 0xffffffff && min(2.5f, 2.0) == 2 && max(NAN, 1.0f) == 1);
    EXPECT(signbit(min(0.0f, -0.0f)) && !signbit(max(-0.0, 0.0)) && min(-5ll, 3ll) == -5);
    EXPECT(__clz(1) == 31 && __clz(0) == 32 && __ffs(0) == 0 && __ffs(8) == 4 && __popc(0xff) == 8);
    EXPECT(__brev(1) == 0x80000000 && __brevll(1) == 1ull << 63 && __clzll(1) == 63);
    EXPECT(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
    EXPECT(__funnelshift_l(0x80000000, 1, 1) == 3 && __funnelshift_rc(1, 2, 40) == 2);
    EXPECT(__mulhi(-1, 1) == -1 && __umulhi(0xffffffff, 2) == 1 && __mul24(0xffffff, 2) == -2);
    EXPECT(__mul64hi(-1, 1) == -1 && __umul64hi(~0ull, 2) == 1 && __sad(-1, 2, 3) == 6 &&
           __usad(2, 5, 1) == 4);
    EXPECT(__hadd(-3, 0) == -2 && __rhadd(-3, 0) == -1 && __hadd(0x7fffffff, 0x7fffffff) == 0x7fffffff);
    EXPECT(__dp4a(0x01ff0302, 0x01010101, 10) == 15 && __dp4a(0x01ff0302u, 0x01010101u, 10u) == 271);
    EXPECT(__fns(0x50, 0, 2) == 6 && __fns(0x50, 31, -1) == 6 && __fns(0x50, 0, 3) == 0xffffffff);
}

static void roundings()
{
    EXPECT(__fadd_rn(1, 0x1p-30f) == 1 && __fadd_ru(1, 0x1p-30f) == 1 + 0x1p-23f &&
           __fadd_rz(-1, -0x1p-30f) == -1);
    EXPECT(__fadd_rd(-1, -0x1p-30f) == -1 - 0x1p-23f &&
           __fmul_ru(1 + 0x1p-23f, 1 + 0x1p-23f) == 1 + 0x1.8p-22f);
    EXPECT(__fdiv_rd(1, 3) < __fdiv_ru(1, 3) && __frcp_rz(3) == __fdiv_rd(1, 3) &&
           __fsqrt_ru(2) > __fsqrt_rd(2));
    EXPECT(__fmaf_rz(1, 1, -0x1p-60f) == 1 - 0x1p-24f && __fma_ru(1, 1, 0x1p-80) == 1 + 0x1p-52);
    EXPECT(__dadd_ru(1, 0x1p-60) == 1 + 0x1p-52 && __dmul_rd(0.1, 0.1) < __dmul_ru(0.1, 0.1));
    EXPECT(__int2float_rz(0x7fffffff) == 0x1.fffffep30f && __int2float_rn(0x7fffffff) == 0x1p31f);
    EXPECT(__double2float_ru(0.1) > 0.1 && __double2float_rd(0.1) < 0.1 && fegetround() == FE_TONEAREST);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rd(-1.5f) == -2);
    EXPECT(__float2int_ru(-1.5f) == -1 && __float2int_rz(1e20f) == 0x7fffffff && __float2int_rz(NAN) == 0);
    EXPECT(__double2int_rz(NAN) == (int)0x80000000 && __float2ull_rn(-1) == 0 &&
           __float2uint_rn(4294967040.0f) == 4294967040u);
    EXPECT(__hiloint2double(0x3ff00000, 0) == 1 && __double2hiint(-1) == (int)0xbff00000 &&
           __float_as_int(1) == 0x3f800000);
}

int main()
{
    functions();
    integers();
    roundings();
    return failures != 0;
}
