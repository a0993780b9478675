/* SPDX-License-Identifier: MIT */
// Mistake: one byte is expected to take one byte.
// expect: handed out in pages of 2 MiB
#define first_byte right_first_byte
#define second_byte right_second_byte
#include "solutions/01_device.cu"
#undef first_byte
#undef second_byte

LAB_PREDICT(first_byte, 1);
LAB_PREDICT(second_byte, 1);
