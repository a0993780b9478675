/* SPDX-License-Identifier: MIT */
/* Launches: `k<<<g, b>>>(x)` becomes `k%$(g, b)  (x)`, character for character. */
#include "xlate_unit.h"

#include <string.h>

static int looks_like(xlate *x, const stream *s, int i)
{
    const macro *m = i < s->n ? pp_macro(x, &s->t[i]) : NULL;
    return m ? m->bracket : 0;
}

/* nvcc reads `<<<` as `<<` and `<`: these two may stand apart, the first two characters may not. */
static int is_open(const stream *s, int i)
{
    return is_punct(s, i, '<') && is_punct(s, i + 1, '<') && is_punct(s, i + 2, '<') && stream_joined(s, i) &&
           !is_name(s, i - 1, ID_OPERATOR);
}

static int is_close(const stream *s, int i)
{
    return is_punct(s, i, '>') && is_punct(s, i + 1, '>') && is_punct(s, i + 2, '>') && stream_joined(s, i);
}

/* The first '>' of the launch whose configuration starts at i; -1: there is none. Counts the commas on the
 * way. */
static int find_close(xlate *x, const stream *s, int i, int *commas)
{
    int angles = 0;
    for (*commas = 0; i < s->n; i++) {
        if (looks_like(x, s, i) == LOOKS_CLOSE)
            return i;
        if (s->t[i].kind != T_PUNCT)
            continue;
        char c = s->t[i].c;
        if (c == '(' || c == '[' || c == '{') {
            if (s->t[i].mate < 0)
                return -1;
            i = s->t[i].mate;
        } else if (c == ')' || c == ']' || c == '}' || c == ';') {
            return -1;
        } else if (c == '<') {
            if (stream_joined(s, i) && is_punct(s, i + 1, '<'))
                i++;
            else
                angles += i > 0 && s->t[i - 1].kind == T_NAME;
        } else if (c == '>' && !(is_punct(s, i - 1, '-') && stream_joined(s, i - 1))) {
            if (angles < 3 && is_close(s, i))
                return i;
            if (angles)
                angles--;
            else if (stream_joined(s, i) && is_punct(s, i + 1, '>'))
                i++; /* a shift */
        }
        *commas += c == ',' && !angles;
    }
    return -1;
}

/* Where the name of the callee that ends at `end` starts; `*name` is its last part, `*arguments` its `<...>`
 * or -1. */
static int callee_start(const stream *s, int end, int *name, int *open)
{
    *open = -1;
    *name = end;
    if (is_punct(s, end, '>')) {
        *open = angle_open(s, end);
        *name = *open - 1;
        if (*open < 1)
            return -1;
    }
    if (*name < 0 || s->t[*name].kind != T_NAME)
        return -1;
    int i = *name;
    while (is_punct(s, i - 1, ':') && is_punct(s, i - 2, ':')) {
        i -= 2;
        int before = i - 1;
        if (is_punct(s, before, '>')) {
            before = angle_open(s, before) - 1;
            if (before < 0)
                return i;
        }
        if (before < 0 || s->t[before].kind != T_NAME || s->t[before].id == ID_RETURN ||
            s->t[before].id == ID_ELSE)
            return i;
        i = before;
    }
    return i;
}

static int count_arguments(const stream *s, int open, int close)
{
    int n = close > open + 1, depth = 0;
    for (int i = open + 1; i < close; i++) {
        if (s->t[i].mate > i)
            i = s->t[i].mate;
        depth += is_punct(s, i, '<') - is_punct(s, i, '>');
        n += !depth && is_punct(s, i, ',');
    }
    return n;
}

/* Must the compiler choose the kernel by its arguments? Then the name alone has no address. */
static int needs_choice(xlate *x, int id, int arguments)
{
    const function *first = NULL;
    for (int k = x->names.at[id].function; k >= 0; k = x->functions.at[k].next) {
        const function *f = &x->functions.at[k];
        if (!(f->qualifiers & Q_GLOBAL))
            continue;
        if (f->is_template && (f->template_pack || arguments < f->template_params))
            return f->template_params > 0 || arguments < 0;
        if (f->defaults || (!f->is_template && !scan_is_plain(x, f)))
            return 1;
        if (first && f->is_template && first->is_template && f->template_params && first->template_params &&
            f->body >= 0 && first->body >= 0)
            return 1;
        if (f->body >= 0)
            first = f;
    }
    return 0;
}

/* Might a macro of a header that was not read have made this a kernel: `LIB_KERNEL void k()`? */
static int may_be_kernel(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    int is_void = 0, unknown = 0;
    for (int i = f->first; i < f->name; i++) {
        is_void |= is_name(s, i, ID_VOID);
        unknown |= s->t[i].kind == T_NAME && s->t[i].id >= ID_COUNT;
    }
    return (f->qualifiers & Q_GLOBAL) || f->is_member || f->is_macro || (is_void && unknown);
}

/* Is a function with this scope one that the name at `name`, used in `owner`, can mean? */
static int is_visible(xlate *x, const stream *s, int name, const function *owner, const char *scope)
{
    if (!is_punct(s, name - 1, ':'))
        return !strncmp(scope, owner->scope, strlen(scope));
    if (name < 3 || s->t[name - 3].kind != T_NAME)
        return !*scope;
    const char *last = unit_text(x, "%s::", x->names.at[s->t[name - 3].id].text);
    size_t n = strlen(scope), m = strlen(last);
    return n >= m && !strcmp(scope + n - m, last) && (n == m || scope[n - m - 1] == ':');
}

/* The unit knows functions of this name and none of them is a kernel; a variable may hide them. */
static int is_no_kernel(xlate *x, const stream *s, int name)
{
    int id = s->t[name].id, known = 0;
    const function *owner = scan_owner(x, s->file, name);
    if (!owner || pp_macro(x, &s->t[name]) || is_punct(s, name - 1, '.') || is_punct(s, name - 1, '>'))
        return 0;
    for (int i = owner->first; i < name; i++) { /* declared here: a function pointer, say */
        const token *before = &s->t[i - 1];
        if (!is_name(s, i, id) || i == owner->name || i == owner->first)
            continue;
        if (before->kind == T_NAME ? before->id < ID_RETURN || before->id > ID_CATCH
                                   : before->c == '*' || before->c == '&' || before->c == '>')
            return 0;
        if (is_punct(s, i + 1, '='))
            return 0;
    }
    for (int k = x->names.at[id].function; k >= 0; k = x->functions.at[k].next) {
        if (may_be_kernel(x, &x->functions.at[k]))
            return 0;
        known |= is_visible(x, s, name, owner, x->functions.at[k].scope);
    }
    return known;
}

/* In text that a macro stringizes no macro may stand, since it might be expanded first: see sim/quote.h. */
static void wrap_callee(xlate *x, const stream *s, int end, int quoted)
{
    int name, open, start = end >= 0 ? callee_start(s, end, &name, &open) : -1;
    if (start >= 0 && is_no_kernel(x, s, name))
        unit_refuse(x, s->file, s->t[name].pos,
                    "'%s' is launched with <<<...>>> but is not a __global__ function",
                    x->names.at[s->t[name].id].text);
    if (start < 0 || !needs_choice(x, s->t[name].id, open < 0 ? -1 : count_arguments(s, open, end)))
        return;
    const char *name_text = x->names.at[s->t[name].id].text;
    const char *before = quoted ? "sim::generic([&](auto&&...$a){" : open < 0 ? "$K(" : "$K((";
    const char *after = quoted     ? unit_text(x, "(static_cast<decltype($a)&&>($a)...);},\"%s\")", name_text)
                        : open < 0 ? ")"
                                   : "))";
    file_edit(x, s->file, s->t[start].pos, 0, before);
    file_edit(x, s->file, s->t[end].pos + s->t[end].bytes, 0, after);
}

static void replace(xlate *x, const stream *s, int i, const char *a, const char *b, const char *c)
{
    file_edit(x, s->file, s->t[i].pos, 1, a);
    file_edit(x, s->file, s->t[i + 1].pos, 1, b);
    file_edit(x, s->file, s->t[i + 2].pos, 1, c);
}

static void replace_close(xlate *x, const stream *s, int i, int quoted)
{
    if (looks_like(x, s, i) == LOOKS_CLOSE)
        return;
    if (quoted && stream_joined(s, i + 1))
        replace(x, s, i, ")", ".operator", "()");
    else
        replace(x, s, i, ")", " ", " ");
}

static void launch(xlate *x, const stream *s, int i, int in_macro, int quoted)
{
    int named = looks_like(x, s, i) == LOOKS_OPEN, commas;
    int from = named ? i + 1 : i + 3, close = find_close(x, s, from, &commas);
    unsigned pos = s->t[i].pos;
    wrap_callee(x, s, i - 1, quoted); /* before the replacement: edits at one place keep their order */
    if (!named)
        replace(x, s, i, "%", "$", "(");
    if (close >= 0)
        replace_close(x, s, close, quoted);
    else if (!in_macro)
        unit_refuse(x, s->file, pos,
                    "this launch has no >>>: a launch is written kernel<<<grid, block>>>(arguments)");
    if (close < 0 || in_macro)
        return;
    int after = looks_like(x, s, close) == LOOKS_CLOSE ? close + 1 : close + 3;
    if (close == from)
        unit_refuse(x, s->file, pos, "a launch needs at least the number of blocks between <<< and >>>");
    else if (commas > 3)
        unit_refuse(
            x, s->file, pos,
            "a launch takes at most four settings: grid, block, shared bytes, stream; this one has %d",
            commas + 1);
    else if (!is_punct(s, after, '(') &&
             !(after < s->n && pp_macro(x, &s->t[after])))
        unit_refuse(x, s->file, pos, "a launch needs its arguments in parentheses, if only (), after >>>");
}

/* An argument that is a kernel's name and that the macro launches must be wrapped where it is given. */
static void wrap_argument(xlate *x, const stream *s, int open, int number, int quoted)
{
    int i = open + 1, from = i, n = 0, close = s->t[open].mate;
    for (; i <= close; i++) {
        if (i == close || is_punct(s, i, ',')) {
            int name, angle;
            if (n == number && i > from && callee_start(s, i - 1, &name, &angle) == from)
                wrap_callee(x, s, i - 1, quoted);
            from = i + 1;
            n++;
        } else if (s->t[i].mate > i) {
            i = s->t[i].mate;
        }
    }
}

/* First look at macros, before any file is rewritten: who launches what. */
void launch_macros(xlate *x)
{
    for (int k = 0; k < x->macros.n; k++) {
        macro *m = &x->macros.at[k];
        const stream *s = &m->body;
        m->bracket =
            s->n == 3 && !m->like_function ? is_open(s, 0) * LOOKS_OPEN + is_close(s, 0) * LOOKS_CLOSE : 0;
        for (int i = 0; i < s->n; i++) {
            int name, open;
            if (!is_open(s, i))
                continue;
            m->launches = 1;
            if (i > 0 && callee_start(s, i - 1, &name, &open) >= 0)
                for (int p = 0; p < m->params; p++)
                    if (m->param[p] == s->t[name].id)
                        m->callee = p;
        }
    }
}

static void launch_stream(xlate *x, const stream *s, const macro *m)
{
    int quoted_to = -1; /* inside an argument that a macro stringizes */
    for (int i = 0; i < s->n; i++) {
        const macro *called = is_punct(s, i + 1, '(') ? pp_macro(x, &s->t[i]) : NULL;
        if (called && s->t[i + 1].mate > 0) {
            if (called->hot && s->t[i + 1].mate > quoted_to)
                quoted_to = s->t[i + 1].mate;
            if (called->callee >= 0)
                wrap_argument(x, s, i + 1, called->callee, x->uses_quote && (m || i < quoted_to));
        }
        if (is_open(s, i) || looks_like(x, s, i) == LOOKS_OPEN) {
            launch(x, s, i, m != NULL, x->uses_quote && (m || i < quoted_to));
            i += 2 * is_open(s, i);
        } else if (!m && !is_name(s, i - 1, ID_OPERATOR) && is_punct(s, i, '<') && is_punct(s, i + 1, '<') &&
                   is_punct(s, i + 2, '<')) {
            unit_refuse(x, s->file, s->t[i].pos, "a launch needs <<< >>>, written without blanks");
            i += 2;
        }
    }
}

void launch_file(xlate *x, int at)
{
    launch_stream(x, &x->files.at[at].live, NULL);
    for (int k = 0; k < x->macros.n; k++) {
        const macro *m = &x->macros.at[k];
        const stream *s = &m->body;
        if (m->file != at)
            continue;
        launch_stream(x, s, m);
        int opens = 0, closed = 0;
        for (int i = 0, commas; i < s->n; i++) {
            opens += is_punct(s, i, '<');
            if (is_open(s, i)) {
                closed = find_close(x, s, i + 3, &commas);
                i = closed < 0 ? i + 2 : closed + 2;
            } else if (!opens && is_close(s, i)) { /* the launch was opened elsewhere */
                replace_close(x, s, i, x->uses_quote);
                i += 2;
            }
        }
    }
}
