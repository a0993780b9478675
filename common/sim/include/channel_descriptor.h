/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief cudaCreateChannelDesc<T>(): the description of an array's element from its C++ type.
 */
#ifndef SIM_CHANNEL_DESCRIPTOR_H
#define SIM_CHANNEL_DESCRIPTOR_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus

/** @brief A type that no array holds has no channels. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

#define SIM_CHANNELS(type, b, kind)                                                                   \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##1>(void)                     \
    {                                                                                                 \
        return {b, 0, 0, 0, kind};                                                                    \
    }                                                                                                 \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##2>(void)                     \
    {                                                                                                 \
        return {b, b, 0, 0, kind};                                                                    \
    }                                                                                                 \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##4>(void)                     \
    {                                                                                                 \
        return {b, b, b, b, kind};                                                                    \
    }
#define SIM_CHANNEL(type, b, kind)                                               \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>(void)   \
    {                                                                            \
        return {b, 0, 0, 0, kind};                                               \
    }

SIM_CHANNEL(char, 8, cudaChannelFormatKindSigned)
SIM_CHANNEL(signed char, 8, cudaChannelFormatKindSigned)
SIM_CHANNEL(unsigned char, 8, cudaChannelFormatKindUnsigned)
SIM_CHANNEL(short, 16, cudaChannelFormatKindSigned)
SIM_CHANNEL(unsigned short, 16, cudaChannelFormatKindUnsigned)
SIM_CHANNEL(int, 32, cudaChannelFormatKindSigned)
SIM_CHANNEL(unsigned int, 32, cudaChannelFormatKindUnsigned)
SIM_CHANNEL(float, 32, cudaChannelFormatKindFloat)
SIM_CHANNELS(char, 8, cudaChannelFormatKindSigned)
SIM_CHANNELS(uchar, 8, cudaChannelFormatKindUnsigned)
SIM_CHANNELS(short, 16, cudaChannelFormatKindSigned)
SIM_CHANNELS(ushort, 16, cudaChannelFormatKindUnsigned)
SIM_CHANNELS(int, 32, cudaChannelFormatKindSigned)
SIM_CHANNELS(uint, 32, cudaChannelFormatKindUnsigned)
SIM_CHANNELS(float, 32, cudaChannelFormatKindFloat)

#undef SIM_CHANNEL
#undef SIM_CHANNELS

#endif
#endif
