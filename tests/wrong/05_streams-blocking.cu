/* SPDX-License-Identifier: MIT */
// Mistake: streams of cudaStreamCreate are taken to be free of the default stream.
// expect: the legacy default stream and those of cudaStreamCreate wait for each other
#define b_after_both right_b_after_both
#include "solutions/05_streams.cu"
#undef b_after_both

LAB_PREDICT(b_after_both, 0);
