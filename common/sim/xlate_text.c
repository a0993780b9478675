/* SPDX-License-Identifier: MIT */
/* What is respelled beside launches and variables: text that a macro makes of a launch, __noinline__, and
 * host arrays of run-time size. */
#include "xlate_unit.h"

static int is_parameter(const macro *m, const token *t)
{
    if (t->kind == T_NAME)
        for (int i = 0; i < m->params; i++)
            if (m->param[i] == t->id)
                return 1;
    return 0;
}

/* Is the token at i the `#` of `#param`? */
static int is_quote(const macro *m, int i)
{
    const stream *s = &m->body;
    return m->like_function && is_punct(s, i, '#') && !is_punct(s, i - 1, '#') && i + 1 < s->n &&
           is_parameter(m, &s->t[i + 1]);
}

static int launches(xlate *x, int id)
{
    for (int k = x->names.at[id].macro; k >= 0; k = x->macros.at[k].next)
        if (x->macros.at[k].launches)
            return 1;
    return 0;
}

static int heat(xlate *x, int id)
{
    int changed = 0;
    for (int k = x->names.at[id].macro; k >= 0; k = x->macros.at[k].next) {
        macro *m = &x->macros.at[k];
        changed |= m->like_function && !m->hot;
        m->hot |= m->like_function;
    }
    return changed;
}

/* Marks the macros that are given a launch as an argument. */
static void heat_stream(xlate *x, const stream *s)
{
    for (int i = 0; i + 1 < s->n; i++) {
        if (s->t[i].kind != T_NAME || x->names.at[s->t[i].id].macro < 0 || !is_punct(s, i + 1, '('))
            continue;
        for (int k = i + 2; k < s->t[i + 1].mate; k++)
            if ((is_punct(s, k, '<') && is_punct(s, k + 1, '<') && is_punct(s, k + 2, '<')) ||
                (s->t[k].kind == T_NAME && launches(x, s->t[k].id))) {
                heat(x, s->t[i].id);
                break;
            }
    }
}

/* "a" #x "b": all of it is one text, since neighbours are joined before $str could see them. */
static void wrap_quotes(xlate *x, const macro *m)
{
    const stream *s = &m->body;
    for (int i = 0; i < s->n; i++) {
        int from = i, quotes = 0;
        for (; i < s->n; i++) {
            if (is_quote(m, i)) {
                quotes = 1;
                i++;
            } else if (s->t[i].kind != T_STRING &&
                       !(i > from && s->t[i].kind == T_NAME && !is_punct(s, i + 1, '('))) {
                break;
            }
        }
        if (!quotes)
            continue;
        file_edit(x, m->file, s->t[from].pos, 0, "$str(");
        file_edit(x, m->file, s->t[i - 1].pos + s->t[i - 1].bytes, 0, ")");
    }
}

void text_macros(xlate *x)
{
    for (int i = 0; i < x->files.n; i++)
        heat_stream(x, &x->files.at[i].live);
    for (int i = 0; i < x->macros.n; i++)
        heat_stream(x, &x->macros.at[i].body);
    for (int again = 1; again;) { /* what a hot macro names may be given its argument */
        again = 0;
        for (int k = 0; k < x->macros.n; k++)
            for (int i = 0; x->macros.at[k].hot && i < x->macros.at[k].body.n; i++)
                if (x->macros.at[k].body.t[i].kind == T_NAME)
                    again |= heat(x, x->macros.at[k].body.t[i].id);
    }
    for (int k = 0; k < x->macros.n; k++) {
        macro *m = &x->macros.at[k];
        int quotes = 0;
        for (int i = 0; m->hot && i < m->body.n; i++)
            quotes |= is_quote(m, i);
        if (quotes)
            wrap_quotes(x, m);
        x->uses_quote |= quotes;
    }
}

/* A macro __noinline__ would break __attribute__((__noinline__)) in the system's headers. */
void text_noinline(xlate *x, const stream *s)
{
    for (int i = 0; i < s->n; i++)
        if (is_name(s, i, ID_NOINLINE) && !is_punct(s, i - 1, '(') && !is_punct(s, i - 1, ','))
            file_edit(x, s->file, s->t[i].pos, s->t[i].bytes, "__attribute__((noinline))");
}

/* Is the '[' at i of a local array whose size may be known at run time only? */
static int is_run_time_array(xlate *x, const stream *s, int i)
{
    if (!is_punct(s, i, '[') || s->t[i].mate < 0 || i < 3 || s->t[i - 1].kind != T_NAME)
        return 0;
    int type =
        i -
        2; /* `float a[n]`, `std::vector<int> a[n]`, but of `x * a[i]` and `float *a[n]` only the second */
    if (is_punct(s, type, '*') &&
        (is_punct(s, i - 4, ';') || is_punct(s, i - 4, '{') || is_punct(s, i - 4, '}')))
        type--;
    if (!is_punct(s, type, '>') &&
        (s->t[type].kind != T_NAME || (s->t[type].id >= ID_RETURN && s->t[type].id <= ID_CATCH)))
        return 0;
    for (int k = i + 1; k < s->t[i].mate; k++)
        if (s->t[k].kind == T_NAME && s->t[k].id >= ID_COUNT && !pp_macro(x, &s->t[k]))
            return 1;
    return 0;
}

/* nvcc refuses arrays of run-time size in device code only, so the driver's -Werror=vla is taken back in host
 * code. */
void text_arrays(xlate *x, int at)
{
    const stream *s = &x->files.at[at].live;
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        if (f->file != at || f->body < 0 || (f->qualifiers & (Q_DEVICE | Q_GLOBAL)))
            continue;
        int last = s->t[f->body].mate, i = f->body;
        while (i < last && !is_run_time_array(x, s, i))
            i++;
        if (i == last)
            continue;
        file_edit(x, at, s->t[f->body].pos + 1, 0,
                  "_Pragma(\"GCC diagnostic push\")_Pragma(\"GCC diagnostic ignored \\\"-Wvla\\\"\")");
        file_edit(x, at, s->t[last].pos + 1, 0, "_Pragma(\"GCC diagnostic pop\")");
    }
}
