/* SPDX-License-Identifier: MIT */
/* Shared variables become references bound to the block's storage; kernels and symbols are registered. */
#include "xlate_unit.h"

#include <string.h>

static void blank(xlate *x, const stream *s, int i)
{
    const char *text = x->files.at[s->file].text + s->t[i].pos;
    char *spaces = unit_alloc(x, s->t[i].bytes + 1u);
    for (unsigned k = 0; k < s->t[i].bytes; k++)
        spaces[k] = text[k] == '\n' ? '\n' : ' ';
    file_edit(x, s->file, s->t[i].pos, s->t[i].bytes, spaces);
}

static int is_alignment(const stream *s, int i)
{
    return is_name(s, i, ID_ALIGN) || is_name(s, i, ID_ALIGNAS) || is_name(s, i, ID_ATTRIBUTE) ||
           is_name(s, i, ID_ATTRIBUTE2);
}

/* An alignment on the declaration would apply to the reference, so it is taken away here: NULL if there is
 * none. */
static const char *take_alignment(xlate *x, const stream *s, int first, int end)
{
    const char *align = NULL;
    for (int i = first; i < end; i++) {
        int id = s->t[i].kind == T_NAME ? s->t[i].id : -1,
            close = is_punct(s, i + 1, '(') ? s->t[i + 1].mate : -1;
        if (!is_alignment(s, i) || close < 0 || close >= end)
            continue;
        int from = i + 2, last = close - 1;
        if (id == ID_ATTRIBUTE || id == ID_ATTRIBUTE2) {
            while (from < close &&
                   !(s->t[from].kind == T_NAME && (pp_text_is(x, s->t[from].id, "aligned") ||
                                                   pp_text_is(x, s->t[from].id, "__aligned__"))))
                from++;
            if (!is_punct(s, from + 1, '(') || s->t[from + 1].mate < 0)
                continue;
            last = s->t[from + 1].mate - 1;
            from += 2;
        }
        const char *value = stream_text(x, s, from, last);
        int is_type = id == ID_ALIGNAS && s->t[from].kind == T_NAME && from == last;
        align = is_type ? unit_text(x, "alignof(%s)", value) : unit_text(x, "(%s)", value);
        for (int k = i; k <= close; k++)
            blank(x, s, k);
    }
    return align;
}

static void refuse_initialiser(xlate *x, const stream *s, int at, const char *name)
{
    unit_refuse(
        x, s->file, s->t[at].pos,
        "the shared variable '%s' cannot have an initialiser: shared memory starts undefined in every "
        "block; assign in the kernel, then __syncthreads()",
        name);
}

/* Blanks what belongs to the variable but not to the reference, which at file scope is static; the result
 * says whether `extern` was there. */
static int blank_specifiers(xlate *x, const stream *s, int first, int end, int at_file)
{
    int is_extern = 0;
    for (int i = first; i < end; i++) {
        is_extern |= is_name(s, i, ID_EXTERN);
        if (is_name(s, i, ID_SHARED) || is_name(s, i, ID_EXTERN) || is_name(s, i, ID_STATIC)) {
            if (at_file)
                file_edit(x, s->file, s->t[i].pos, s->t[i].bytes,
                          s->t[i].bytes == 6 ? "static" : "static    ");
            else
                blank(x, s, i);
            at_file = 0;
        }
        if (s->t[i].mate > i)
            i = s->t[i].mate;
    }
    return is_extern;
}

/* `extern __shared__ T x[]` is dynamic; with a size, or no array, it is an ordinary shared variable to nvcc.
 */
static int is_unsized(const stream *s, const declarator *d)
{
    return is_punct(s, d->name + 1, '[') && is_punct(s, d->name + 2, ']');
}

/* What a variable is bound to; `named` has its type. */
static const char *storage(xlate *x, const char *owner, const char *align, const char *named)
{
    if (!align)
        return unit_text(x, "$sh<%s>([]{})", owner);
    x->uses_aligned = 1;
    return unit_text(x, "$aligned<%s,decltype(%s)>($sh<%s>([]{}))", align, named, owner);
}

/* `T &x` needs no parentheses where `T (&x)[4]` does. */
static int is_bare(const stream *s, const declarator *d)
{
    return !is_punct(s, d->name + 1, '[') && !is_punct(s, d->name + 1, '(');
}

/* A file-scope variable has its storage in each block: its name becomes a function that asks for it, and the
 * functions that use it start with a reference of that name. */
static void rewrite_global(xlate *x, const stream *s, const declarator *d, int number, const char *align,
                           int end)
{
    const token *name = &s->t[d->name];
    const char *text = x->names.at[name->id].text;
    int bare = is_bare(s, d);
    file_edit(x, s->file, name->pos, 0, bare ? "&$" : "(&$");
    file_edit(x, s->file, name->pos + name->bytes, 0, bare ? "()" : "())");
    const char *bound = storage(x, unit_text(x, "%d", number), align, unit_text(x, "$%s()", text));
    file_edit(x, s->file, s->t[end].pos + 1, 0,
              unit_text(x, " inline decltype($%s()) $%s(){return %s;}", text, text, bound));
    *PUSH(x, x->globals) = (shared){name->id, s->file, number, name->pos};
    x->names.at[name->id].shared = x->globals.n - 1;
}

/* The name that follows a declarator where a ';' is missing, or -1. */
static int stray_name(xlate *x, const stream *s, const declarator *d)
{
    int i = d->name + 1;
    while (i < d->end && is_punct(s, i, '[') && s->t[i].mate > i)
        i = s->t[i].mate + 1;
    int stray = i < d->end && s->t[i].kind == T_NAME && !is_alignment(s, i) && !pp_macro(x, &s->t[i]);
    return stray && s == &x->files.at[s->file].live ? i : -1;
}

/* Where its functions are, a file-scope array belongs to each. */
static void note_dynamic(xlate *x, const stream *s, const token *name, const function *f)
{
    *PUSH(x, x->dynamics) = (dynamic){name->id, s->file, f ? (int)(f - x->functions.at) : -1, name->pos};
}

/* One declaration, from its first token to its ';'; `f`: the function around it, or NULL; `owner`: whose
 * memory it is, NULL at file scope. */
static void rewrite_shared(xlate *x, const stream *s, int first, int end, const function *f,
                           const char *owner)
{
    declarator d[32];
    int n = scan_declarators(x, s, first, end, d, 32), head = n ? d[0].name : end, global = 0;
    const char *align = take_alignment(x, s, first, head);
    int is_extern = blank_specifiers(x, s, first, head, !owner && n);
    for (int i = 0; i < n; i++) {
        const token *name = &s->t[d[i].name], *last = &s->t[d[i].end - 1];
        int dynamic = is_extern && is_unsized(s, &d[i]), bare = is_bare(s, &d[i]);
        int stray = stray_name(x, s, &d[i]);
        if (stray >= 0) {
            unit_refuse(x, s->file, s->t[stray].pos,
                        "expected ';' after the shared variable '%s', before '%s'",
                        x->names.at[name->id].text, x->names.at[s->t[stray].id].text);
            continue;
        }
        if (d[i].init >= 0) {
            refuse_initialiser(x, s, d[i].init, x->names.at[name->id].text);
            continue;
        }
        if (!dynamic && !owner) {
            rewrite_global(x, s, &d[i], scan_number(x, &global), align, end);
            continue;
        }
        if (dynamic && s == &x->files.at[s->file].live)
            note_dynamic(x, s, name, f);
        else if (f)
            *PUSH(x, x->locals) = (local_shared){name->id, (int)(f - x->functions.at), d[i].name, end, 0};
        file_edit(x, s->file, name->pos, 0, bare ? "&" : "(&");
        if (!bare)
            file_edit(x, s->file, name->pos + name->bytes, 0, ")");
        file_edit(x, s->file, last->pos + last->bytes, 0,
                  dynamic ? "=$dyn"
                          : unit_text(x, "=%s", storage(x, owner, align, x->names.at[name->id].text)));
    }
}

/* `<T, N, A...>`: the kernel's own template arguments, inside it; NULL where one has no name. */
static const char *own_arguments(xlate *x, const stream *s, const function *f)
{
    int open = f->template_open, close = angle_close(s, open), name = -1, pack = 0, value = 0;
    const char *list = "";
    for (int i = open + 1; i <= close; i++) {
        if (i == close || is_punct(s, i, ',')) {
            if (name < 0)
                return NULL;
            list = unit_text(x, "%s%s%s%s", list, *list ? ", " : "", x->names.at[s->t[name].id].text,
                             pack ? "..." : "");
            name = -1, pack = value = 0;
        } else if (s->t[i].mate > i) {
            i = s->t[i].mate;
        } else if (is_punct(s, i, '<')) {
            i = angle_close(s, i);
            if (i < 0)
                return NULL;
        } else if (is_punct(s, i, '=')) {
            value = 1;
        } else if (s->t[i].kind == T_NAME && !value) {
            name = i;
        } else if (is_punct(s, i, '.')) {
            pack = 1;
        }
    }
    return unit_text(x, "<%s>", list);
}

/* How a template kernel calls its own instance, in its body: NULL where its name may mean another. */
static const char *instance_arguments(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    if (f->is_friend || f->is_macro || f->body < 0)
        return NULL;
    if (!f->template_params) /* a specialisation */
        return is_punct(s, f->name + 1, '<') ? stream_text(x, s, f->name + 1, f->params - 1) : NULL;
    for (int k = x->names.at[f->id].function; k >= 0; k = x->functions.at[k].next) {
        const function *other = &x->functions.at[k];
        if (other != f && other->body >= 0 && (!other->is_template || other->template_params))
            return NULL;
    }
    return own_arguments(x, s, f);
}

/* Of a template, how much it declares differs from instance to instance: those of kernels are counted. */
static const char *owner_of(xlate *x, macro *m, function *f)
{
    if (f && f->is_template)
        return f->qualifiers & Q_GLOBAL && instance_arguments(x, f) ? "$me" : "-1";
    int *number = m ? &m->number : f ? &f->number : NULL;
    return number ? unit_text(x, "%d", scan_number(x, number)) : NULL;
}

void shared_stream(xlate *x, stream *s, macro *m)
{
    for (int i = 0; i < s->n; i++) {
        if (!(scan_qualifier(x, &s->t[i]) & Q_SHARED))
            continue;
        int first = i, end = i;
        while (first > 0 && !is_punct(s, first - 1, ';') && !is_punct(s, first - 1, '{') &&
               !is_punct(s, first - 1, '}') && !is_punct(s, first - 1, ':') &&
               !(is_punct(s, first - 1, ')') && !is_alignment(s, s->t[first - 1].mate - 1)))
            first = is_punct(s, first - 1, ')') ? s->t[first - 1].mate - 1 : first - 1;
        while (end < s->n && !is_punct(s, end, ';'))
            end = s->t[end].mate > end ? s->t[end].mate + 1 : end + 1;
        function *f = m ? NULL : scan_owner(x, s->file, i);
        if (f && !f->is_macro && !(f->qualifiers & (Q_DEVICE | Q_GLOBAL)))
            unit_refuse(x, s->file, s->t[i].pos,
                        "a __shared__ variable in host code: shared memory exists in device code only");
        else if (end < s->n || m)
            rewrite_shared(x, s, first, end, f, owner_of(x, m, f));
        i = end;
    }
}

/* Whether the body of a function names a file-scope variable. */
static int uses(const xlate *x, const function *f, int id)
{
    const stream *s = &x->files.at[f->file].live;
    for (int i = f->params; i < s->t[f->params].mate; i++)
        if (is_name(s, i, id))
            return 0;
    for (int i = f->body; i < s->t[f->body].mate; i++)
        if (is_name(s, i, id) && !is_punct(s, i - 1, '.') && !is_punct(s, i - 1, '>') &&
            !is_punct(s, i - 1, ':'))
            return 1;
    return 0;
}

/* Gives the functions of a file their references to file-scope shared variables. */
void shared_uses(xlate *x, int at)
{
    const stream *s = &x->files.at[at].live;
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        if (f->file != at || f->body < 0)
            continue;
        unsigned start = s->t[f->body].pos + 1;
        int any = 0;
        for (int g = 0; g < x->globals.n; g++) {
            const shared *v = &x->globals.at[g];
            const char *text = x->names.at[v->id].text;
            if ((v->file == at && v->pos > start) || !uses(x, f, v->id))
                continue;
            file_edit(x, at, start, 0, unit_text(x, "auto &%s[[maybe_unused]]=$%s();", text, text));
            any = 1;
        }
        if (any) { /* a block of its own, in which the function may declare the name anew */
            file_edit(x, at, start, 0, "{");
            file_edit(x, at, s->t[s->t[f->body].mate].pos, 0, "}");
        }
    }
}

/* Two names of dynamic shared memory in one function: mostly taken for two arrays. */
void shared_aliases(xlate *x)
{
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        const dynamic *first = NULL;
        for (int i = 0; i < x->dynamics.n && f->body >= 0; i++) {
            const dynamic *d = &x->dynamics.at[i];
            if (d->owner != k && (d->owner >= 0 || !uses(x, f, d->id)))
                continue;
            if (first && first->id != d->id)
                unit_warn(x, d->file, d->pos,
                          "'%s' is the same memory as '%s': every extern __shared__ array begins where the "
                          "block's dynamic shared memory begins; take one, and pointers into it",
                          x->names.at[d->id].text, x->names.at[first->id].text);
            first = first ? first : d;
        }
    }
}

/* The numbers of all shared memory that code from the body of a function on can reach, by name. */
typedef struct reach {
    xlate *x;
    char *functions, *macros, *numbers;
} reach;

static void reach_stream(reach *r, const stream *s, int first, int last);

static void reach_name(reach *r, int id)
{
    xlate *x = r->x;
    for (int k = x->names.at[id].function; k >= 0; k = x->functions.at[k].next) {
        const function *f = &x->functions.at[k];
        if (r->functions[k] || f->body < 0)
            continue;
        r->functions[k] = 1;
        r->numbers[f->number] = 1;
        const stream *s = &x->files.at[f->file].live;
        reach_stream(r, s, f->body, s->t[f->body].mate);
    }
    for (int k = x->names.at[id].macro; k >= 0; k = x->macros.at[k].next) {
        const macro *m = &x->macros.at[k];
        if (r->macros[k])
            continue;
        r->macros[k] = 1;
        r->numbers[m->number] = 1;
        reach_stream(r, &m->body, 0, m->body.n - 1);
    }
    if (x->names.at[id].shared >= 0)
        r->numbers[x->globals.at[x->names.at[id].shared].number] = 1;
}

static void reach_stream(reach *r, const stream *s, int first, int last)
{
    for (int i = first; i <= last && i < s->n; i++)
        if (s->t[i].kind == T_NAME)
            reach_name(r, s->t[i].id);
}

/* `(threads), (blocks)` from __launch_bounds__, which may stand on an earlier declaration only. */
static const char *launch_bounds(xlate *x, const function *f)
{
    for (int k = x->names.at[f->id].function; k >= 0; k = x->functions.at[k].next) {
        const function *other = &x->functions.at[k];
        const stream *s = &x->files.at[other->file].live;
        if (other->bounds < 0 || strcmp(other->scope, f->scope))
            continue;
        int from = other->bounds + 1, close = s->t[other->bounds].mate, n = 0;
        const char *part[2] = {"0", "0"};
        for (int i = from; i <= close && n < 2; i++) {
            if (i == close || is_punct(s, i, ',')) {
                part[n++] = stream_text(x, s, from, i - 1);
                from = i + 1;
            } else if (s->t[i].mate > i) {
                i = s->t[i].mate;
            }
        }
        return unit_text(x, "(%s), (%s)", part[0], part[1]);
    }
    return "0, 0";
}

/* Whether a thread can leave the kernel before its end: then a barrier need not see every thread. */
static int returns_early(const stream *s, const function *f)
{
    for (int i = f->body; i < s->t[f->body].mate; i++) {
        if (is_name(s, i, ID_RETURN))
            return 1;
        int is_lambda = is_punct(s, i, '[') && s->t[i].mate > i && s->t[i - 1].kind == T_PUNCT &&
                        !is_punct(s, i - 1, ')') && !is_punct(s, i - 1, ']');
        if (!is_lambda)
            continue;
        i = s->t[i].mate; /* a return in its body leaves the lambda only */
        while (i < s->t[f->body].mate && !is_punct(s, i, '{') && !is_punct(s, i, ';'))
            i = s->t[i + 1].mate > i + 1 && !is_punct(s, i + 1, '{') ? s->t[i + 1].mate : i + 1;
        if (is_punct(s, i, '{') && s->t[i].mate > i)
            i = s->t[i].mate;
    }
    return 0;
}

/* Is a variable more than declared and assigned to? nvcc drops those that are not. */
static int is_read(const stream *s, const function *f, const local_shared *v)
{
    for (int i = f->body; i < s->t[f->body].mate; i++) {
        int after = i + 1;
        if (!is_name(s, i, v->id) || i == v->name || rules_is_unevaluated(s, i) ||
            (is_punct(s, i - 1, ')') && is_name(s, i - 2, ID_VOID)))
            continue;
        while ((is_punct(s, after, '[') && s->t[after].mate > 0) || is_punct(s, after, '.'))
            after = is_punct(s, after, '.') ? after + 2 : s->t[after].mate + 1;
        if (!is_punct(s, after, '=') || is_punct(s, after + 1, '='))
            return 1;
    }
    return 0;
}

/* What the functions in `reached` declare must fit, as far as the variables are seen at one place. */
static void limit(xlate *x, const char *reached)
{
    for (int k = 0; k < x->locals.n; k++) {
        local_shared *last = &x->locals.at[k];
        const function *f = &x->functions.at[last->function];
        const stream *s = &x->files.at[f->file].live;
        const char *sum = "";
        last->is_read = is_read(s, f, last);
        int more = k + 1 < x->locals.n && last[1].function == last->function && last[1].end == last->end;
        if (!reached[last->function] || more || (f->is_template && !rules_is_used(x, f)))
            continue;
        for (int i = 0; i <= k; i++) {
            const local_shared *v = &x->locals.at[i];
            if (v->function != last->function || !v->is_read)
                continue;
            int open = rules_around(s, v->name), hidden = 0;
            for (int n = i + 1; n <= k; n++)
                hidden |= x->locals.at[n].id == v->id;
            if (!hidden && open >= 0 && s->t[open].mate > last->end)
                sum = unit_text(x, "%s%ssizeof(%s)", sum, *sum ? " + " : "", x->names.at[v->id].text);
        }
        if (*sum)
            file_edit(x, f->file, s->t[last->end].pos + 1, 0, unit_text(x, " SIM_SHARED_LIMIT(%s);", sum));
    }
}

void shared_register(xlate *x)
{
    char *reached = unit_alloc(x, (size_t)x->functions.n + 1);
    for (int k = 0; k < x->functions.n; k++) {
        function *f = &x->functions.at[k];
        if ((f->qualifiers & Q_GLOBAL) && f->body >= 0)
            scan_number(x, &f->number);
    }
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        if (!(f->qualifiers & Q_GLOBAL) || f->body < 0 || f->is_friend || f->is_macro)
            continue;
        reach r = {x, unit_alloc(x, (size_t)x->functions.n + 1), unit_alloc(x, (size_t)x->macros.n + 1),
                   unit_alloc(x, (size_t)x->numbers + 1)};
        const stream *s = &x->files.at[f->file].live;
        r.functions[k] = r.numbers[f->number] = 1;
        reach_stream(&r, s, f->body, s->t[f->body].mate);
        for (int i = 0; i < x->functions.n; i++)
            reached[i] |= r.functions[i];
        const char *list = "", *arguments = f->is_template ? instance_arguments(x, f) : NULL;
        for (int n = 1; n <= x->numbers; n++)
            if (r.numbers[n] && n != f->number)
                list = unit_text(x, "%s, %d", list, n);
        if (arguments)
            file_edit(x, f->file, s->t[f->body].pos + 1, 0,
                      unit_text(x, " SIM_INSTANCE((%s%s), %s, %d%s);", x->names.at[f->id].text, arguments,
                                launch_bounds(x, f), returns_early(s, f), list));
        else if (scan_is_plain(x, f))
            file_edit(x, f->file, s->t[s->t[f->body].mate].pos + 1, 0,
                      unit_text(x, " SIM_KERNEL%s(%s, %s, %d%s);", returns_early(s, f) ? "_WITH_RETURN" : "",
                                scan_label(x, f->scope, f->id), launch_bounds(x, f), f->number, list));
    }
    limit(x, reached);
}
