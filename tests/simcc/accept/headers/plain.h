/* SPDX-License-Identifier: MIT */
#pragma once
inline int plain() { return 40; }
