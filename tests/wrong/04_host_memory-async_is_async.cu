/* SPDX-License-Identifier: MIT */
// Mistake: the name is believed: an async copy from pageable memory would return at once.
// expect: the host moves the bytes between pageable memory and the driver's pinned stage
#define pageable_up right_pageable_up
#include "solutions/04_host_memory.cu"
#undef pageable_up

LAB_PREDICT(pageable_up, 0);
