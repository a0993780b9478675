/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Texture fetches and surface accesses in kernels: CUDA's C++ templates over two C calls.
 *
 *     tex2D<uchar4>(t, x, y)  ->  sim_tex_fetch: find the texels, filter  ->  four 32-bit words
 *                             ->  the template keeps the words that T has, each cut to its type
 *
 * Element types are those of CUDA: char to int and float, alone or in vectors of 1, 2 and 4.
 */
#ifndef SIM_TEXTURE_H
#define SIM_TEXTURE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Number of coordinates, and whether a layer is picked; SIM_TEX_LINEAR counts texels. */
enum sim_tex_dim {
    SIM_TEX_1D, SIM_TEX_2D, SIM_TEX_3D, SIM_TEX_1D_LAYERED, SIM_TEX_2D_LAYERED, SIM_TEX_LINEAR
};

/**
 * @brief Sample a texture as its object says, in the running simulated thread.
 * @param[in] index      the layer; for SIM_TEX_LINEAR the texel
 * @param[in] as_float   what the caller's type takes the words for
 * @param[out] texel     x, y, z, w: the bits of a float, or an integer widened to 32 bits
 */
void sim_tex_fetch(cudaTextureObject_t texture, enum sim_tex_dim dim, float x, float y, float z, int index,
                   int as_float, unsigned texel[4]);

/** @brief An element of a surface: x in bytes, y and z (or the layer) in elements. */
typedef struct sim_surf_place {
    enum sim_tex_dim dim;
    int x, y, z;
    enum cudaSurfaceBoundaryMode mode;
} sim_surf_place;

void sim_surf_read(cudaSurfaceObject_t surface, const sim_surf_place *place, void *data, size_t bytes);
void sim_surf_write(cudaSurfaceObject_t surface, const sim_surf_place *place, const void *data, size_t bytes);

#ifdef __cplusplus
}

/** @brief What a texel type is made of; undefined for types that no texture has. */
template <class T> struct sim_texel;

#define SIM_TEXEL(type, component, ...)                                                    \
    template <> struct sim_texel<type> {                                                   \
        enum { is_float = static_cast<component>(0.5f) != 0 };                                          \
        static type from(const unsigned *w) { return type{__VA_ARGS__}; }                  \
    };
/** @brief The low bits of a word as C, or as a float its bits. */
template <class C> SIM_INLINE C sim_component(unsigned word)
{
    C c;
    __builtin_memcpy(&c, &word, sizeof c);
    return c;
}
#define SIM_W(c, i) sim_component<c>(w[i])
#define SIM_TEXELS(vector, c)                                                    \
    SIM_TEXEL(vector##1, c, SIM_W(c, 0))                                         \
    SIM_TEXEL(vector##2, c, SIM_W(c, 0), SIM_W(c, 1))                            \
    SIM_TEXEL(vector##4, c, SIM_W(c, 0), SIM_W(c, 1), SIM_W(c, 2), SIM_W(c, 3))
#define SIM_TEXEL_AND_VECTORS(vector, c) \
    SIM_TEXEL(c, c, SIM_W(c, 0))         \
    SIM_TEXELS(vector, c)

typedef signed char sim_schar;
typedef unsigned char sim_uchar;
typedef unsigned short sim_ushort;
SIM_TEXEL(char, char, SIM_W(char, 0))
SIM_TEXEL_AND_VECTORS(char, sim_schar)
SIM_TEXEL_AND_VECTORS(uchar, sim_uchar)
SIM_TEXEL_AND_VECTORS(short, short)
SIM_TEXEL_AND_VECTORS(ushort, sim_ushort)
SIM_TEXEL_AND_VECTORS(int, int)
SIM_TEXEL_AND_VECTORS(uint, unsigned)
SIM_TEXEL_AND_VECTORS(float, float)

#undef SIM_TEXEL_AND_VECTORS
#undef SIM_TEXELS
#undef SIM_W
#undef SIM_TEXEL

template <class T>
SIM_INLINE T sim_sample(cudaTextureObject_t t, enum sim_tex_dim dim, float x, float y, float z, int index)
{
    unsigned w[4];
    sim_tex_fetch(t, dim, x, y, z, index, sim_texel<T>::is_float, w);
    return sim_texel<T>::from(w);
}

/* ---- CUDA's names: the value returned, or stored through a first argument ---- */

#define SIM_STRIP(...) __VA_ARGS__
#define SIM_TEX(name, parameters, dim, x, y, z, index)                    \
    template <class T> SIM_INLINE T name parameters                       \
    {                                                                     \
        return sim_sample<T>(t, dim, x, y, z, index);                     \
    }                                                                     \
    template <class T> SIM_INLINE void name(T *out, SIM_STRIP parameters) \
    {                                                                     \
        *out = sim_sample<T>(t, dim, x, y, z, index);                     \
    }

SIM_TEX(tex1Dfetch, (cudaTextureObject_t t, int x), SIM_TEX_LINEAR, 0, 0, 0, x)
SIM_TEX(tex1D, (cudaTextureObject_t t, float x), SIM_TEX_1D, x, 0, 0, 0)
SIM_TEX(tex2D, (cudaTextureObject_t t, float x, float y), SIM_TEX_2D, x, y, 0, 0)
SIM_TEX(tex3D, (cudaTextureObject_t t, float x, float y, float z), SIM_TEX_3D, x, y, z, 0)
SIM_TEX(tex1DLayered, (cudaTextureObject_t t, float x, int layer), SIM_TEX_1D_LAYERED, x, 0, 0, layer)
SIM_TEX(tex2DLayered, (cudaTextureObject_t t, float x, float y, int layer), SIM_TEX_2D_LAYERED, x, y, 0,
        layer)
// Textures here have one level of detail, so a level picks that one.
SIM_TEX(tex1DLod, (cudaTextureObject_t t, float x, float), SIM_TEX_1D, x, 0, 0, 0)
SIM_TEX(tex2DLod, (cudaTextureObject_t t, float x, float y, float), SIM_TEX_2D, x, y, 0, 0)
SIM_TEX(tex3DLod, (cudaTextureObject_t t, float x, float y, float z, float), SIM_TEX_3D, x, y, z, 0)

#undef SIM_TEX

/* ---- surfaces; T is any element type, x counts bytes ---- */

#define SIM_SURF(suffix, coordinates, dim, y, z)                                                          \
    template <class T>                                                                                    \
    SIM_INLINE void surf##suffix##read(T *out, cudaSurfaceObject_t s, SIM_STRIP coordinates,              \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                                     \
        const sim_surf_place place = {dim, x, y, z, mode};                                                \
        sim_surf_read(s, &place, out, sizeof(T));                                                         \
    }                                                                                                     \
    template <class T>                                                                                    \
    SIM_INLINE T surf##suffix##read(cudaSurfaceObject_t s, SIM_STRIP coordinates,                         \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                                     \
        T value;                                                                                          \
        const sim_surf_place place = {dim, x, y, z, mode};                                                \
        sim_surf_read(s, &place, &value, sizeof(T));                                                      \
        return value;                                                                                     \
    }                                                                                                     \
    template <class T>                                                                                    \
    SIM_INLINE void surf##suffix##write(T value, cudaSurfaceObject_t s, SIM_STRIP coordinates,            \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                                     \
        const sim_surf_place place = {dim, x, y, z, mode};                                                \
        sim_surf_write(s, &place, &value, sizeof(T));                                                     \
    }

SIM_SURF(1D, (int x), SIM_TEX_1D, 0, 0)
SIM_SURF(2D, (int x, int y), SIM_TEX_2D, y, 0)
SIM_SURF(3D, (int x, int y, int z), SIM_TEX_3D, y, z)
SIM_SURF(1DLayered, (int x, int layer), SIM_TEX_1D_LAYERED, 0, layer)
SIM_SURF(2DLayered, (int x, int y, int layer), SIM_TEX_2D_LAYERED, y, layer)

#undef SIM_SURF
#undef SIM_STRIP

#endif
#endif
