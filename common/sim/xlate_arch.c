/* SPDX-License-Identifier: MIT */
/* __CUDA_ARCH__, which nvcc defines only where it compiles device code.
 *
 * Here one run compiles both, so the question is which code a condition is about: 900 is written in its place
 * in the bodies of __global__ and __device__ functions, and in conditions around such functions. Elsewhere,
 * and in functions that are for the host too, it is not defined; nor where PTX would be met, for the sake of
 * the branch that does without. */
#include "xlate_unit.h"

/* Qualifiers before the '{' at `open`, back to what ends the declaration before. */
static unsigned head_qualifiers(xlate *x, const stream *s, int open)
{
    unsigned found = 0;
    for (int i = open - 1; i >= 0; i--) {
        if (is_punct(s, i, ';') || is_punct(s, i, '{') || is_punct(s, i, '}'))
            break;
        if (!s->t[i].directive && !s->t[i].dead)
            found |= scan_qualifier(x, &s->t[i]);
    }
    return found & (Q_GLOBAL | Q_DEVICE | Q_HOST);
}

/* Those of the function around token `at`; 0: it is in none that has any. */
static unsigned around(xlate *x, const stream *s, int at)
{
    int closed = 0;
    for (int i = at - 1; i >= 0; i--) {
        if (s->t[i].directive || s->t[i].dead)
            continue;
        if (is_punct(s, i, '}'))
            closed++;
        else if (is_punct(s, i, '{') && closed)
            closed--;
        else if (is_punct(s, i, '{')) {
            unsigned found = head_qualifiers(x, s, i);
            if (found)
                return found;
        }
    }
    return 0;
}

static int is_device_only(unsigned qualifiers)
{
    return qualifiers & (Q_GLOBAL | Q_DEVICE) && !(qualifiers & Q_HOST);
}

int arch_in_device_code(xlate *x, const stream *s, int at)
{
    return is_device_only(around(x, s, at));
}

/* `end`: the first token behind the #if. */
int arch_branches_are_device_code(xlate *x, const stream *s, int end)
{
    unsigned outside = around(x, s, end), found = 0;
    int depth = 0, filled = 0, any = 0;
    if (outside && !is_device_only(outside))
        return 0;
    for (int i = end; i < s->n; i++) {
        const token *t = &s->t[i];
        int id = t->kind == T_NAME ? t->id : -1, ends = 0;
        if (t->directive && is_punct(s, i, '#') && i + 1 < s->n) {
            int next = s->t[i + 1].kind == T_NAME ? s->t[i + 1].id : -1;
            depth += next == ID_IF || next == ID_IFDEF || next == ID_IFNDEF;
            ends = !depth && (next == ID_ELSE || next == ID_ELIF || next == ID_ENDIF);
            depth -= depth && next == ID_ENDIF;
            if (ends && filled && !outside && !is_device_only(found))
                return 0;
            any |= filled;
            if (ends && next == ID_ENDIF)
                return any;
            if (ends)
                found = 0, filled = 0;
        } else if (!t->directive) {
            filled = 1;
            found |= scan_qualifier(x, t);
            if (id == ID_ASM || id == ID_ASM2 || id == ID_ASM3)
                return 0;
        }
    }
    return 0;
}

void arch_write(xlate *x, const stream *s, int i, int is_defined)
{
    file_edit(x, s->file, s->t[i].pos, s->t[i].bytes, is_defined ? "__CUDACC__" : "900");
}
