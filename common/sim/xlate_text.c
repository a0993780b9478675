/* SPDX-License-Identifier: MIT */
#include "xlate_unit.h"
void text_macros(xlate *x)
{
    (void)x;
}
