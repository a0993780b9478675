/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief How a conversion rounds.
 */
#ifndef SIM_DEVICE_TYPES_H
#define SIM_DEVICE_TYPES_H

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
