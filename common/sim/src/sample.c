/* SPDX-License-Identifier: MIT */
/*
 * The texture unit's arithmetic: which texels, with which weights, into which value.
 *
 *     coordinate -> texel units -> minus 1/2, rounded to 1/256 -> texel index and weight, for each dimension
 *
 * Filter weights have 8 bits; those of two and three dimensions are products rounded to 8 bits again, x with
 * z first and then y, so that all of them sum to 256. Everything here gives the bits that an H200 gave for
 * some ten thousand coordinates, but for filtered signed 8-bit texels (off by 1/32767 at times).
 */
#include <math.h>
#include <string.h>
#include "array.h"
#include "check.h"

enum { ONE = 256 }; /* a weight of 1 */

/* ---- one dimension ---- */

/* Texel `i` of `n` after the address mode; -1 for the border. */
static long address(long i, long n, enum cudaTextureAddressMode mode)
{
    switch (mode) {
    case cudaAddressModeWrap:
        return i % n + (i % n < 0 ? n : 0);
    case cudaAddressModeMirror:
        i = i % (2 * n) + (i % (2 * n) < 0 ? 2 * n : 0);
        return i < n ? i : 2 * n - 1 - i;
    case cudaAddressModeBorder:
        return i < 0 || i >= n ? -1 : i;
    default:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

struct axis {
    long texel[2];
    int weight; /* of texel[1], 0 to 255 */
};

static struct axis axis(const struct sim_texture *t, float place, size_t size,
                        enum cudaTextureAddressMode mode)
{
    const long n = (long)size;
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    double u = place; /* not a number counts as 0; infinite ones lie at the ends, or at 0 where it repeats */
    if (isnan(u) || (isinf(u) && repeats && t->normalized_place))
        u = 0;
    if (t->normalized_place)
        u = (repeats ? fmod(u, 2) : u) * (double)n;
    else if (repeats)
        mode = cudaAddressModeClamp;
    u = fmin(fmax(u, -0x1p40), 0x1p40);
    if (!t->smooth)
        return (struct axis){{address((long)floor(u), n, mode), -1}, 0};
    const long fixed = (long)floor((u - 0.5) * ONE + 0.5), first = (long)floor((double)fixed / ONE);
    return (struct axis){{address(first, n, mode), address(first + 1, n, mode)}, (int)(fixed - first * ONE)};
}

/* ---- all dimensions: up to 8 texels ---- */

struct taps {
    const char *at[8]; /* NULL for the border */
    int weight[8];
    int count;
};

static int rounded(int product)
{
    return (product + ONE / 2) / ONE;
}

static struct taps taps(const struct axis a[3], const struct sim_texture *t, size_t layer)
{
    const int both = rounded(a[0].weight * a[2].weight);
    const int xz[4] = {ONE - a[0].weight - a[2].weight + both, a[0].weight - both, a[2].weight - both, both};
    struct taps s = {.count = 0};
    for (int i = 0; i < 8; i++) { /* bits of i: x, y, z */
        const int w = xz[(i & 1) | (i >> 2) << 1],
                  lower = i & 1 ? w - rounded(w * a[1].weight) : rounded(w * (ONE - a[1].weight));
        const long x = a[0].texel[i & 1], y = a[1].texel[i >> 1 & 1], z = a[2].texel[i >> 2];
        s.weight[s.count] = i & 2 ? w - lower : lower;
        if (!s.weight[s.count])
            continue;
        s.at[s.count] = x < 0 || y < 0 || z < 0 ? NULL
                                                : t->base + ((size_t)z + layer) * t->slice +
                                                      (size_t)y * t->row + (size_t)x * t->element;
        if (s.at[s.count])
            watch_texel(s.at[s.count], t->element, CHECK_READ);
        s.count++;
    }
    return s;
}

/* ---- texels ---- */

static float half_to_float(unsigned short h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const float sign = h >> 15 ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * ldexpf((float)(exponent ? fraction | 1024 : fraction), (exponent ? exponent : 1) - 25);
}

static unsigned bits_of(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Component `c` as stored: an integer, or a float's value. */
static double stored(const struct sim_texture *t, const char *texel, int c)
{
    const bool is_signed = t->kind == cudaChannelFormatKindSigned;
    unsigned word = 0;
    float f;
    if (!texel)
        return t->border[c];
    memcpy(&word, texel + c * t->bits / 8, (size_t)t->bits / 8);
    if (t->kind == cudaChannelFormatKindFloat && t->bits == 16)
        return half_to_float((unsigned short)word);
    if (t->kind == cudaChannelFormatKindFloat) {
        memcpy(&f, &word, sizeof f);
        return f;
    }
    if (!is_signed)
        return word;
    return t->bits == 8 ? (signed char)word : t->bits == 16 ? (short)word : (int)word;
}

static double most(const struct sim_texture *t)
{
    return t->kind == cudaChannelFormatKindSigned ? (t->bits == 8 ? 127 : 32767) : t->bits == 8 ? 255 : 65535;
}

/* Cut, not rounded, to what the element can hold. */
double sim_border(const struct sim_texture *t, float colour)
{
    const bool is_signed = t->kind == cudaChannelFormatKindSigned;
    if (t->normalized_value)
        return fmax(fmin(trunc(colour * (most(t) + 1)), most(t)), is_signed ? -most(t) : 0);
    if (t->kind != cudaChannelFormatKindFloat)
        return bits_of(colour);
    if (t->bits == 32 || colour == 0 || !isfinite(colour))
        return colour;
    const double unit = ldexp(1, ilogbf(colour) - 10);
    return trunc(colour / unit) * unit;
}

static unsigned point(const struct sim_texture *t, const char *texel, int c)
{
    const double v = stored(t, texel, c);
    if (t->normalized_value)
        return bits_of((float)fmax(v / most(t), -1));
    if (t->kind != cudaChannelFormatKindFloat)
        return (unsigned)(long)v;
    if (t->bits == 16 || !texel)
        return bits_of((float)v);
    unsigned word; /* as stored, so that a signalling or denormal number stays itself */
    memcpy(&word, texel + c * 4, sizeof word);
    return word;
}

/* ---- filtering ---- */

/* Integers: in units of 1/65535 or 1/32767, rounded to a whole number of them. */
static float filter_integers(const struct sim_texture *t, const struct taps *s, int c)
{
    const bool is_signed = t->kind == cudaChannelFormatKindSigned;
    const double unit = is_signed ? 32767 : 65535;
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += s->weight[i] * stored(t, s->at[i], c);
    const double units = sum * unit / (most(t) * ONE);
    return (float)fmax((is_signed ? ceil(units - 0.5) + 0.0 : floor(units + 0.5)) / unit, -1);
}

/*
 * Floats: every texel is cut to 27 bits (13 for half) below the largest one's leading bit, the sum rounded to
 * the nearest, ties away from 0. Denormal numbers count as 0. Doubles hold all of it exactly.
 */
static float filter_floats(const struct sim_texture *t, const struct taps *s, int c)
{
    const bool half = t->bits == 16;
    double value[8], sum = 0, infinite = 0;
    int top = -1000;
    for (int i = 0; i < s->count; i++) {
        value[i] = stored(t, s->at[i], c);
        if (!isfinite(value[i]))
            infinite += value[i];
        if (!half && fabs(value[i]) < 0x1p-126)
            value[i] = 0;
        if (value[i] != 0 && isfinite(value[i]))
            top = ilogb(value[i]) > top ? ilogb(value[i]) : top;
    }
    if (infinite != 0)
        return (float)infinite;
    const double step = ldexp(1, top - (half ? 13 : 27));
    for (int i = 0; i < s->count; i++)
        sum += s->weight[i] * (trunc(value[i] / step) * step);
    sum /= ONE;
    if (half && sum != 0) {
        const double unit = ldexp(1, ilogb(sum) - 10);
        return (float)(round(sum / unit) * unit);
    }
    const float result = (float)nextafter(sum, copysign(INFINITY, sum));
    return sum == 0 || fabsf(result) < 0x1p-126f ? 0 : result;
}

static unsigned filter(const struct sim_texture *t, const struct taps *s, int c)
{
    const float f = t->kind == cudaChannelFormatKindFloat ? filter_floats(t, s, c) : filter_integers(t, s, c);
    return isnan(f) ? 0x7fffffff : bits_of(f);
}

/* A component that the texel lacks reads 0. */
static void read_taps(const struct sim_texture *t, const struct taps *s, unsigned out[4])
{
    for (int c = 0; c < 4; c++)
        out[c] = c >= t->components ? 0 : t->smooth ? filter(t, s, c) : point(t, s->at[0], c);
}

void sim_sample(const struct sim_texture *t, enum sim_tex_dim dim, const float place[3], int layer,
                unsigned out[4])
{
    /* A 1-D array is sampled as a row at y = 0, half of which lies outside: with a border it shows. */
    const bool has_y = t->shape != SIM_LAYERED_1D;
    const struct axis none = {{0, 0}, 0};
    const struct axis a[3] = {axis(t, place[0], t->width, t->mode[0]),
                              has_y ? axis(t, place[1], t->height, t->mode[1]) : none,
                              dim == SIM_TEX_3D ? axis(t, place[2], t->depth, t->mode[2]) : none};
    const size_t l =
        (unsigned)layer < t->layers ? (unsigned)layer : t->layers - 1; /* below 0 is the last too */
    const struct taps s = taps(a, t, l);
    read_taps(t, &s, out);
}

void sim_sample_texel(const struct sim_texture *t, size_t index, unsigned out[4])
{
    if (index < t->width)
        watch_texel(t->base + index * t->element, t->element, CHECK_READ);
    for (int c = 0; c < 4; c++)
        out[c] = c >= t->components || index >= t->width ? 0 : point(t, t->base + index * t->element, c);
}
