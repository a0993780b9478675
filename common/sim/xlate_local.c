/* SPDX-License-Identifier: MIT */
/*
 * A thread's arrays that registers cannot hold, since only the running thread knows the index:
 *
 *     float a[4]; a[i & 3] = x;  ->  float a[4]; SIM_LOCAL(a) a[i & 3] = x;
 *
 * The checked build then tells of their accesses (sim/checked.h), which it does of no other array that stays
 * in its function. Whatever nvcc can work out it holds in registers: indices made of constants, of variables
 * of loops that it unrolls as their bounds are known, and of variables that are given such values only,
 * whatever the thread does. A name that the function does not declare counts as known: in doubt nothing is
 * marked.
 */
#include "xlate_unit.h"

#include <string.h>

typedef struct variable {
    int id, name, end;                  /* tokens: its name, one past its declarator */
    int mark;                           /* token that ends the declaration of an array, else 0 */
    enum { NEW, KNOWN, UNKNOWN } value; /* to the compiler; KNOWN also while it is being found out */
} variable;

typedef struct body {
    xlate *x;
    const stream *s;
    const function *f;
    int last; /* '}' */
    VECTOR(variable) variables;
} body;

/* The variable that a name at token i stands for: what was declared last. */
static variable *variable_at(const body *b, int id, int i)
{
    for (int k = b->variables.n - 1; k >= 0; k--)
        if (b->variables.at[k].id == id && b->variables.at[k].name <= i)
            return &b->variables.at[k];
    return NULL;
}

static int is_parameter(const body *b, int id)
{
    for (int i = b->f->params + 1; i < b->s->t[b->f->params].mate; i++)
        if (is_name(b->s, i, id) && b->s->t[i + 1].kind == T_PUNCT && strchr(",)=[", b->s->t[i + 1].c))
            return 1;
    return 0;
}

static int is_member(const stream *s, int i)
{
    return is_punct(s, i - 1, '.') || is_punct(s, i - 1, ':') ||
           (is_punct(s, i - 1, '>') && is_punct(s, i - 2, '-'));
}

static int is_variable_unknown(body *b, variable *v);

/* Does an expression hold what only the running thread knows? In a macro's text names are as at token `at`.
 */
static int is_unknown(body *b, const stream *s, int first, int end, int at)
{
    for (int i = first; i < end; i++) {
        if (s->t[i].kind != T_NAME || is_member(s, i))
            continue;
        int id = s->t[i].id;
        variable *v = variable_at(b, id, s == b->s ? i : at);
        const macro *m = s == b->s ? pp_macro(b->x, &s->t[i]) : NULL;
        if ((id >= ID_THREADIDX && id <= ID_GRIDDIM) ||
            (v ? is_variable_unknown(b, v) : is_parameter(b, id)) ||
            (m && is_unknown(b, &m->body, 0, m->body.n, i)))
            return 1;
    }
    return 0;
}

/* The last token of the statement that begins at i, of an `if` with its `else`. */
static int statement_end(const body *b, int i)
{
    for (; i < b->last; i++) {
        int block = is_punct(b->s, i, '{');
        if (b->s->t[i].mate > i)
            i = b->s->t[i].mate;
        if ((block || is_punct(b->s, i, ';')) && !is_name(b->s, i + 1, ID_ELSE))
            return i;
    }
    return b->last;
}

/* From where v is declared, does the running thread decide whether and how often token i is reached? */
static int is_conditional(body *b, const variable *v, int i)
{
    const stream *s = b->s;
    for (int k = b->f->body; k < i; k++) {
        int loop = is_name(s, k, ID_WHILE) || is_name(s, k, ID_DO),
            open = k + 1 + is_name(s, k + 1, ID_CONSTEXPR);
        int close = is_punct(s, open, '(') ? s->t[open].mate : k;
        if (!loop && !is_name(s, k, ID_FOR) && !is_name(s, k, ID_IF) && !is_name(s, k, ID_SWITCH))
            continue;
        int end = statement_end(b, k), endless = is_punct(s, open + 1, ';') && is_punct(s, open + 2, ';');
        if (i <= end && !(v->name > close && v->name < end) &&
            (loop || endless || is_unknown(b, s, open, close, k)))
            return 1;
    }
    return 0;
}

static int is_step(const stream *s, int i)
{
    return (is_punct(s, i, '+') || is_punct(s, i, '-')) && is_punct(s, i + 1, s->t[i].c);
}

/* Is the name at i, or an element of it, given a value? Where the expression for it begins; 0: no. */
static int changed(const stream *s, int i)
{
    int k = i + 1, from;
    while (is_punct(s, k, '[') && s->t[k].mate > k)
        k = s->t[k].mate + 1;
    if (is_step(s, k) || is_step(s, i - 2))
        return k;
    for (from = k; k < from + 2 && k < s->n && s->t[k].kind == T_PUNCT && strchr("+-*/%&|^<>", s->t[k].c);)
        k++;
    int compares = k == from + 1 && strchr("<>", s->t[from].c);
    return is_punct(s, k, '=') && !is_punct(s, k + 1, '=') && !compares ? k + 1 : 0;
}

static int is_variable_unknown(body *b, variable *v)
{
    const stream *s = b->s;
    if (v->value != NEW)
        return v->value == UNKNOWN;
    v->value = KNOWN;
    int unknown = is_unknown(b, s, v->name + 1, v->end, v->name);
    for (int i = v->end; i < b->last && !unknown; i++) {
        if (!is_name(s, i, v->id) || is_member(s, i) || variable_at(b, v->id, i) != v)
            continue;
        int from = changed(s, i), to = from;
        while (from && to < b->last && !(s->t[to].kind == T_PUNCT && strchr(";,)]", s->t[to].c)))
            to = s->t[to].mate > to ? s->t[to].mate + 1 : to + 1;
        int given_away = is_punct(s, i - 1, '&') && (is_punct(s, i - 2, '(') || is_punct(s, i - 2, ','));
        unknown = given_away || is_unknown(b, s, from, to, i) || (from && is_conditional(b, v, i));
    }
    v->value = unknown ? UNKNOWN : KNOWN;
    return unknown;
}

static int is_marked(body *b, const variable *v)
{
    const stream *s = b->s;
    for (int i = v->end; i < b->last; i++)
        if (is_name(s, i, v->id) && !is_member(s, i) && variable_at(b, v->id, i) == v)
            for (int k = i + 1; is_punct(s, k, '[') && s->t[k].mate > k; k = s->t[k].mate + 1)
                if (is_unknown(b, s, k + 1, s->t[k].mate, i))
                    return 1;
    return 0;
}

/* The variables of the declaration that begins at i, if it is one. */
static void collect(body *b, int i, int is_statement)
{
    const stream *s = b->s;
    declarator d[32];
    int end = i, automatic = is_statement;
    if (s->t[i].kind != T_NAME || s->t[i].id == ID_THROW ||
        (s->t[i].id >= ID_NAMESPACE && s->t[i].id <= ID_CATCH))
        return;
    while (end < b->last && !is_punct(s, end, ';') && !is_punct(s, end, ')'))
        end = s->t[end].mate > end ? s->t[end].mate + 1 : end + 1;
    int n = scan_declarators(b->x, s, i, end, d, 32);
    for (int k = i; n && k < d[0].name; k++) {
        int id = s->t[k].kind == T_NAME ? s->t[k].id : -1;
        automatic &= id != ID_STATIC && id != ID_EXTERN && id != ID_CONST && id != ID_CONSTEXPR &&
                     !scan_qualifier(b->x, &s->t[k]);
        if (is_punct(s, k, '(') && s->t[k].mate > d[0].name)
            return; /* a call */
    }
    for (int k = 0; k < n; k++) {
        int name = d[k].name,
            typed = s->t[name - 1].kind == T_NAME || is_punct(s, name - 1, '>') || is_punct(s, name - 1, ',');
        int is_array = automatic && typed && is_punct(s, name + 1, '[') && is_punct(s, end, ';');
        *PUSH(b->x, b->variables) = (variable){s->t[name].id, name, d[k].end, is_array ? end : 0, NEW};
    }
}

static void mark_arrays(xlate *x, const stream *s, const function *f)
{
    body b = {.x = x, .s = s, .f = f, .last = s->t[f->body].mate};
    for (int i = f->body + 1; i < b.last; i++) {
        if (is_name(s, i, ID_FOR) && is_punct(s, i + 1, '(') && s->t[i + 1].mate > i) {
            collect(&b, i + 2, 0);
            i = s->t[i + 1].mate;
        } else if (s->t[i].kind == T_NAME &&
                   ((s->t[i].id >= ID_STRUCT && s->t[i].id <= ID_ENUM) || s->t[i].id == ID_REQUIRES)) {
            while (i < b.last && !is_punct(s, i, '{') && !is_punct(s, i, ';'))
                i++;
            i = s->t[i].mate > i ? s->t[i].mate : i;
        } else if (is_punct(s, i - 1, ';') || is_punct(s, i - 1, '{') || is_punct(s, i - 1, '}')) {
            collect(&b, i, 1);
        }
    }
    for (int k = 0; k < b.variables.n; k++)
        if (b.variables.at[k].mark && is_marked(&b, &b.variables.at[k]))
            file_edit(x, s->file, s->t[b.variables.at[k].mark].pos + 1, 0,
                      unit_text(x, " SIM_LOCAL(%s)", x->names.at[b.variables.at[k].id].text));
}

void local_arrays(xlate *x, int at)
{
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        if (f->file == at && f->body >= 0 && f->qualifiers & (Q_DEVICE | Q_GLOBAL) && !f->is_constexpr)
            mark_arrays(x, &x->files.at[at].live, f);
    }
}
