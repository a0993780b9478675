/* SPDX-License-Identifier: MIT */
/*
 * Arrays, and what copies and textures ask of them.
 *
 * A cudaArray_t is the address of the array's block in device memory: so the books know it, and a stale
 * or foreign handle is recognised like any other pointer. Rows lie without gaps, slices or layers behind
 * each other (hardware tiles them; nobody can see the difference but through time).
 */
#ifndef SIM_ARRAY_H
#define SIM_ARRAY_H

#include "sim.h"
#include "sim/texture.h"

struct sim_array {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as asked for: height and depth 0 where there is none */
    unsigned flags;
    size_t element;    /* bytes */
    size_t row, slice; /* bytes */
    size_t rows, slices;
    char *base;
};

/* The array behind a handle, NULL (and a report unless the handle is NULL) when there is none. */
const struct sim_array *sim_array(cudaArray_const_t handle);
/* Bytes of an element, 0 when no array or texture can have such elements. */
size_t sim_element_bytes(const struct cudaChannelFormatDesc *desc);

/* ---- sample.c: from coordinates to values ---- */

enum sim_shape { SIM_LINE, SIM_ARRAY_1D, SIM_ARRAY_2D, SIM_ARRAY_3D, SIM_LAYERED_1D, SIM_LAYERED_2D };

struct sim_texture {
    enum sim_shape shape; /* SIM_LINE is linear memory; pitched memory counts as a 2-D array */
    const char *base;
    size_t bytes, room; /* of the texture, and of its block, from base on */
    size_t element, width, height, depth, layers;
    size_t row, slice; /* bytes */
    enum cudaChannelFormatKind kind;
    int components, bits;
    bool normalized_value; /* integers are read as floats of 0..1 or -1..1 */
    bool gives_float;      /* the words of a fetch are floats */
    bool normalized_place, smooth;
    enum cudaTextureAddressMode mode[3];
    double border[4]; /* in units of the stored element; of integers read as such, a float's bits */
};

void sim_sample(const struct sim_texture *t, enum sim_tex_dim dim, const float place[3], int layer,
                unsigned out[4]);
void sim_sample_texel(const struct sim_texture *t, size_t index, unsigned out[4]);
/* A border colour, 1 being full intensity, as sim_texture keeps it. */
double sim_border(const struct sim_texture *t, float colour);

#endif
