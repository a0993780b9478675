/* SPDX-License-Identifier: MIT */
/* Preprocessor lines: which branches are certainly skipped, which macros exist, what is included.
 *
 * A condition is true, false or unknown (it may depend on a system header); tokens are dead only in
 * branches that are certainly skipped. */
#include "xlate_unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NO, YES, MAYBE };

typedef struct branch {
    int is_device;  /* its conditions see __CUDA_ARCH__ */
    int outer;      /* liveness around the #if */
    int taken;      /* has an earlier branch been taken? */
    int now;        /* liveness of the branch we are in */
    int first, net; /* token where this branch starts; surplus of { over } in the first live branch */
    int branches;
} branch;

typedef struct pp {
    xlate *x;
    int file;
    branch stack[64];
    int depth;
    int is_device; /* __CUDA_ARCH__ is defined for the condition that is being looked at */
    stream s; /* all tokens of the file */
} pp;

typedef struct value {
    int known;
    long long v;
} value;

typedef struct expression {
    pp *p;
    int i, end, bad, depth;
} expression;

int pp_text_is(const xlate *x, int id, const char *text)
{
    return id >= 0 && !strcmp(x->names.at[id].text, text);
}

static macro *newest(xlate *x, int id, int end)
{
    int at = id >= 0 ? x->names.at[id].macro : -1;
    while (at >= end)
        at = x->macros.at[at].next;
    return at >= 0 ? &x->macros.at[at] : NULL;
}

macro *pp_macro(xlate *x, const token *t)
{
    return t->kind == T_NAME ? newest(x, t->id, t->macros) : NULL;
}

/* YES, NO or MAYBE; the macros that the simulated device's own compiler run defines are certain. */
static int is_defined(const pp *p, int id)
{
    xlate *x = p->x;
    const macro *m = newest(x, id, INT_MAX);
    if (m)
        return m->known;
    static const char *const yes[] = {"__CUDACC__", "__NVCC__", "__CUSIM__", "__cplusplus"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (pp_text_is(x, id, yes[i]))
            return YES;
    return id == ID_ARCH ? (p->is_device ? YES : NO) : MAYBE;
}

static value evaluate(expression *e, int level);

static value name_value(expression *e, int id)
{
    xlate *x = e->p->x;
    const macro *m = newest(x, id, INT_MAX);
    if (id == ID_ARCH)
        return (value){1, e->p->is_device ? 900 : 0};
    if (is_defined(e->p, id) == NO)
        return (value){1, 0};
    const char *text = NULL;
    if (m && m->known == YES && m->value)
        text = m->value;
    else if (m && m->known == YES && !m->like_function && m->body.n == 1 && m->body.t[0].kind == T_NUMBER)
        text = stream_text(x, &m->body, 0, 0);
    char *end = NULL;
    long long v = text && *text ? strtoll(text, &end, 0) : 0;
    return (value){text && *text && !*end, v};
}

static value primary(expression *e)
{
    const stream *s = &e->p->s;
    if (e->i >= e->end || ++e->depth > 64) {
        e->bad = 1;
        return (value){0, 0};
    }
    int i = e->i++;
    value v = {0, 0};
    if (is_punct(s, i, '!')) {
        v = primary(e);
        v.v = !v.v;
    } else if (is_punct(s, i, '-')) {
        v = primary(e);
        v.v = -(v.v & 0x7fffffffffffffff);
    } else if (is_punct(s, i, '(')) {
        v = evaluate(e, 0);
        e->bad |= !is_punct(s, e->i, ')');
        e->i++;
    } else if (s->t[i].kind == T_NUMBER) {
        char *end;
        const char *text = stream_text(e->p->x, s, i, i);
        v = (value){1, strtoll(text, &end, 0)};
        v.known = end != text && end[strspn(end, "uUlL")] == 0;
    } else if (is_name(s, i, ID_DEFINED)) {
        int open = is_punct(s, e->i, '(');
        e->i += open;
        int what = e->i < e->end && s->t[e->i].kind == T_NAME ? is_defined(e->p, s->t[e->i].id) : MAYBE;
        e->i += 1 + open;
        v = (value){what != MAYBE, what == YES};
    } else if (s->t[i].kind == T_NAME) {
        v = name_value(e, s->t[i].id);
        if (is_punct(s, e->i, '(')) { /* __has_include(...) and the like */
            for (int depth = 0; e->i < e->end; e->i++) {
                depth += is_punct(s, e->i, '(') - is_punct(s, e->i, ')');
                if (!depth)
                    break;
            }
            e->i++;
            v.known = 0;
        }
    } else {
        e->bad = 1;
    }
    e->depth--;
    return v;
}

/* Binary operators of a condition, loosest first; anything else makes the condition unknown. */
static int operator_level(expression *e, int *bytes)
{
    static const char *const spelled[] = {"||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-"};
    static const int level[] = {1, 2, 3, 3, 4, 4, 4, 4, 5, 5};
    const stream *s = &e->p->s;
    for (int k = 0; k < 10; k++) {
        int two = spelled[k][1] != 0;
        if (is_punct(s, e->i, spelled[k][0]) &&
            (!two || (e->i + 1 < e->end && stream_joined(s, e->i) && is_punct(s, e->i + 1, spelled[k][1])))) {
            *bytes = two ? 2 : 1;
            return level[k] * 16 + k;
        }
    }
    return 0;
}

static value combine(int k, value a, value b)
{
    if (k == 0)
        return (value){(a.known && a.v) || (b.known && b.v) || (a.known && b.known),
                       (a.known && a.v) || (b.known && b.v)};
    if (k == 1)
        return (value){(a.known && !a.v) || (b.known && !b.v) || (a.known && b.known),
                       a.known && a.v && b.known && b.v};
    long long l = a.v, r = b.v,
              v[] = {0,
                     0,
                     l == r,
                     l != r,
                     l <= r,
                     l >= r,
                     l<r, l>
                         r,
                     (long long)((unsigned long long)l + (unsigned long long)r),
                     (long long)((unsigned long long)l - (unsigned long long)r)};
    return (value){a.known && b.known, v[k]};
}

static value evaluate(expression *e, int level)
{
    value left = primary(e);
    while (!e->bad && e->i < e->end) {
        int bytes = 0, found = operator_level(e, &bytes);
        if (!found || found / 16 <= level)
            break;
        e->i += bytes;
        left = combine(found % 16, left, evaluate(e, found / 16));
    }
    return left;
}

static int condition(pp *p, int first, int end)
{
    expression e = {p, first, end, 0, 0};
    value v = evaluate(&e, 0);
    if (e.bad || e.i < end || !v.known)
        return MAYBE;
    return v.v ? YES : NO;
}

static int both(int a, int b)
{
    return a == NO || b == NO ? NO : a == YES && b == YES ? YES : MAYBE;
}

static int negated(int a)
{
    return a == YES ? NO : a == NO ? YES : MAYBE;
}

static int live(const pp *p)
{
    return p->depth ? p->stack[p->depth - 1].now : YES;
}

/* Where two branches that may both be live open or close a different number of braces, only the first counts.
 */
static void branch_close(pp *p, branch *b, int end)
{
    int net = 0;
    if (b->now == NO)
        return;
    for (int i = b->first; i < end; i++)
        if (!p->s.t[i].directive && !p->s.t[i].dead)
            net += is_punct(&p->s, i, '{') - is_punct(&p->s, i, '}');
    if (!b->branches++)
        b->net = net;
    else
        for (int i = b->first; i < end && net && b->net; i++)
            if (!p->s.t[i].directive && (is_punct(&p->s, i, '{') || is_punct(&p->s, i, '}')))
                p->s.t[i].dead = 1;
}

static void open_branch(pp *p, int is, int first)
{
    if (p->depth == 64)
        return;
    int outer = live(p);
    p->stack[p->depth++] = (branch){p->is_device, outer, is, both(outer, is), first, 0, 0};
}

static void next_branch(pp *p, int is, int i, int first)
{
    if (!p->depth)
        return;
    branch *b = &p->stack[p->depth - 1];
    branch_close(p, b, i);
    b->now = both(b->outer, both(negated(b->taken), is));
    b->taken = b->taken == YES || is == YES ? YES : b->taken == MAYBE || is == MAYBE ? MAYBE : NO;
    b->first = first;
}

static macro *add_macro(xlate *x, int id, int known)
{
    macro *m = PUSH(x, x->macros);
    *m = (macro){.id = id, .file = -1, .known = known, .callee = -1, .next = x->names.at[id].macro};
    x->names.at[id].macro = x->macros.n - 1;
    return m;
}

void xlate_define(xlate *x, const char *name, const char *value)
{
    add_macro(x, unit_name(x, name, strlen(name)), value ? YES : NO)->value =
        unit_text(x, "%s", value ? value : "");
}

static void define(pp *p, int i, int end)
{
    const stream *s = &p->s;
    if (i >= end || s->t[i].kind != T_NAME)
        return;
    macro *m = add_macro(p->x, s->t[i].id, live(p));
    m->file = p->file;
    m->line = s->t[i].line;
    m->like_function = i + 1 < end && stream_joined(s, i) && is_punct(s, i + 1, '(');
    i++;
    if (m->like_function) {
        for (; i < end && !is_punct(s, i, ')'); i++) {
            int id = s->t[i].kind == T_NAME ? s->t[i].id
                     : is_punct(s, i, '.') && is_punct(s, i - 1, '.') && is_punct(s, i - 2, '.') &&
                             s->t[i - 3].kind != T_NAME
                         ? ID_VA_ARGS
                         : -1;
            if (id >= 0 && m->params < 16)
                m->param[m->params++] = id;
        }
        i++;
    }
    if (i >= end)
        return;
    m->body.n = end - i;
    m->body.file = p->file;
    m->body.t = unit_alloc(p->x, (size_t)m->body.n * sizeof(token));
    memcpy(m->body.t, s->t + i, (size_t)m->body.n * sizeof(token));
    stream_mates(&m->body);
    for (int k = 0; k < m->body.n; k++)
        m->qualifiers |= scan_qualifier(p->x, &m->body.t[k]);
    if (m->like_function) /* may head a function, but its variables are its own affair */
        m->qualifiers &= Q_GLOBAL | Q_DEVICE | Q_HOST;
}

static void include_file(pp *p, int i, int end)
{
    xlate *x = p->x;
    const stream *s = &p->s;
    if (i >= end)
        return;
    unsigned pos = s->t[i].pos, last = s->t[end - 1].pos + s->t[end - 1].bytes;
    const char *operand = unit_text(x, "%.*s", (int)(last - pos), x->files.at[p->file].text + pos);
    if (strchr(operand, '\n'))
        return;
    const macro *m = pp_macro(x, &s->t[i]);
    if (m && m->value)
        operand = m->value;
    else if (m && m->body.n)
        operand = stream_text(x, &m->body, 0, m->body.n - 1);
    size_t n = strlen(operand);
    if (n < 3 ||
        !((operand[0] == '"' && operand[n - 1] == '"') || (operand[0] == '<' && operand[n - 1] == '>')))
        return;
    char *path = NULL, *text = NULL;
    size_t bytes = 0;
    const char *name = unit_text(x, "%.*s", (int)(n - 2), operand + 1);
    if (!x->load ||
        !x->load(x->user, x->files.at[p->file].path, name, operand[0] == '"', &path, &text, &bytes)) {
        rules_include(x, p->file, pos, name);
        return;
    }
    *PUSH(x, x->owned) = path;
    *PUSH(x, x->owned) = text;
    int target = 0;
    while (target < x->files.n && strcmp(x->files.at[target].path, path))
        target++;
    int seen = target < x->files.n;
    if (!seen)
        target = unit_add(x, path, text, bytes);
    *PUSH(x, x->files.at[p->file].includes) = (include){pos, last - pos, operand[0] == '"', target};
    if (!seen)
        pp_file(x, target);
    for (int t = 0; t < x->files.at[target].live.n && seen; t++) /* read anew, with other macros */
        x->files.at[target].live.t[t].macros = x->macros.n;
}

/* #ifndef NAME directly followed by #define NAME guards a header against being read twice. */
static int is_guard(const pp *p, int name, int end)
{
    const stream *s = &p->s;
    return name < end && is_punct(s, end, '#') && is_name(s, end + 1, ID_DEFINE) &&
           is_name(s, end + 2, s->t[name].id);
}

/* Does the condition that begins at token `i` see __CUDA_ARCH__? Then its value is written there. */
static void look_at_arch(pp *p, int id, int i, int end)
{
    int found = 0;
    for (int t = i; t < end; t++)
        found |= is_name(&p->s, t, ID_ARCH);
    p->is_device = id == ID_ELIF ? p->depth && p->stack[p->depth - 1].is_device
                                 : found && arch_branches_are_device_code(p->x, &p->s, end);
    for (int t = i; t < end && p->is_device; t++) {
        int word = is_punct(&p->s, t - 1, '(') ? t - 2 : t - 1;
        int asks = id == ID_IFDEF || id == ID_IFNDEF || is_name(&p->s, word, ID_DEFINED);
        if (is_name(&p->s, t, ID_ARCH))
            arch_write(p->x, &p->s, t, asks);
    }
}

static void directive(pp *p, int hash, int end)
{
    const stream *s = &p->s;
    int i = hash + 2, id = hash + 1 < end && s->t[hash + 1].kind == T_NAME ? s->t[hash + 1].id : -1;
    int name = i < end && s->t[i].kind == T_NAME ? s->t[i].id : -1;
    if (id == ID_IFDEF || id == ID_IFNDEF || id == ID_IF || id == ID_ELIF)
        look_at_arch(p, id, i, end);
    if (id == ID_IFDEF)
        open_branch(p, is_defined(p, name), end);
    else if (id == ID_IFNDEF)
        open_branch(p,
                    !newest(p->x, name, INT_MAX) && is_guard(p, i, end) ? YES : negated(is_defined(p, name)),
                    end);
    else if (id == ID_IF)
        open_branch(p, condition(p, i, end), end);
    else if (id == ID_ELIF)
        next_branch(p, condition(p, i, end), hash, end);
    else if (id == ID_ELSE)
        next_branch(p, YES, hash, end);
    else if (id == ID_ENDIF && p->depth) {
        branch_close(p, &p->stack[p->depth - 1], hash);
        p->depth--;
    } else if (live(p) == NO)
        return;
    else if (id == ID_DEFINE)
        define(p, i, end);
    else if (id == ID_UNDEF && name >= 0)
        add_macro(p->x, name, live(p) == YES ? NO : MAYBE);
    else if (id == ID_INCLUDE)
        include_file(p, i, end);
}

void pp_file(xlate *x, int at)
{
    lex_file(x, at);
    file *f = &x->files.at[at];
    pp *p = unit_alloc(x, sizeof *p);
    *p = (pp){.x = x, .file = at, .s = {f->tokens.at, f->tokens.n, at}};
    for (int i = 0, next = 0; i < p->s.n;) {
        f = &x->files.at[at];
        if (next < f->directives.n && f->directives.at[next] == i) {
            int end = i + 1;
            int limit = ++next < f->directives.n ? f->directives.at[next] : p->s.n;
            while (end < limit && p->s.t[end].directive)
                end++;
            directive(p, i, end);
            i = end;
        } else {
            p->s.t[i].dead |= live(p) == NO;
            p->s.t[i].macros = x->macros.n;
            if (is_name(&p->s, i, ID_ARCH) && !p->s.t[i].dead && arch_in_device_code(x, &p->s, i))
                arch_write(x, &p->s, i, 0);
            i++;
        }
    }
    f = &x->files.at[at];
    f->live = (stream){unit_alloc(x, ((size_t)p->s.n + 1) * sizeof(token)), 0, at};
    for (int i = 0; i < p->s.n; i++)
        if (!p->s.t[i].directive && !p->s.t[i].dead)
            f->live.t[f->live.n++] = p->s.t[i];
    stream_mates(&f->live);
}
