/* SPDX-License-Identifier: MIT */
#include "xlate_unit.h"
void rules_file(xlate *x, int file)
{
    (void)x;
    (void)file;
}
void rules_include(xlate *x, int file, unsigned pos, const char *name)
{
    (void)x;
    (void)file;
    (void)pos;
    (void)name;
}
