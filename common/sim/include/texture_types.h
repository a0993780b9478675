/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief How a texture object turns coordinates into texels, and texels into values.
 */
#ifndef SIM_TEXTURE_TYPES_H
#define SIM_TEXTURE_TYPES_H

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

/** @brief Coordinates outside the texture; wrap and mirror act as clamp unless they are normalized. */
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
/** @brief The texel a coordinate falls in, or the mean of its neighbours weighted in 1/256 steps. */
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
/** @brief The element as stored, or 8- and 16-bit integers as floats of 0..1 (signed: -1..1). */
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords; ///< not 0: coordinates of 0..1 span the texture
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

typedef unsigned long long cudaTextureObject_t;

#endif
