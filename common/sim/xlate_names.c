/* SPDX-License-Identifier: MIT */
/* Host variables in device code, and member functions called on the wrong side: what only a name tells.
 *
 * Types are not known here, so a name counts only if nothing else in the unit could be meant by it, and an
 * object only if the function itself declares it with a class of the unit. */
#include "xlate_unit.h"

#include <string.h>

/* A declaration at namespace scope, up to its ';', that declares no function. */
void names_variables(xlate *x, const stream *s, int first, int end, unsigned qualifiers, const char *scope)
{
    declarator d[32];
    int n = scan_declarators(x, s, first, end, d, 32), constant = 0, fixed = 0, types = 0;
    for (int i = first; n && i < d[0].name; i++) {
        int id = s->t[i].kind == T_NAME ? s->t[i].id : -1, unknown = id >= ID_COUNT;
        constant |= id == ID_CONST;
        fixed |= id == ID_CONSTEXPR || id == ID_CONSTINIT;
        if (id == ID_NAMESPACE || id == ID_TEMPLATE || id == ID_STATIC_ASSERT || id == ID_ENUM)
            return;
        if (unknown && !is_punct(s, i - 1, ':') && !scan_qualifier(x, &s->t[i]))
            types++;
        if ((id >= ID_VOID && id <= ID_WCHAR) && types)
            types++; /* `UNKNOWN int a;`: who knows what the macro of a system header says */
        if (is_punct(s, i, '<'))
            i = angle_close(s, i) > i ? angle_close(s, i) : i;
        else if (s->t[i].mate > i)
            i = s->t[i].mate;
    }
    for (int k = 0; k < n; k++) {
        int name = d[k].name, pointer = is_punct(s, name - 1, '*') || is_punct(s, name - 1, '&');
        if (is_punct(s, name + 1, ':') || is_punct(s, name - 1, ':'))
            continue; /* a member, or a bit-field */
        *PUSH(x, x->variables) =
            (global_variable){s->t[name].id,
                              s->file,
                              name,
                              scope,
                              (qualifiers & (Q_DEVICE | Q_CONSTANT | Q_MANAGED | Q_SHARED)) || types > 1,
                              is_punct(s, name + 1, '['),
                              pointer ? 0 : constant || is_name(s, name - 1, ID_CONST),
                              fixed};
    }
}

/* The only class of its name in the unit, or NULL. */
static const class_of *only_class(const xlate *x, int id)
{
    const class_of *found = NULL;
    for (int k = 0; k < x->classes.n && id >= 0; k++) {
        if (x->classes.at[k].id != id)
            continue;
        if (found)
            return NULL;
        found = &x->classes.at[k];
    }
    return found;
}

/* A function whose name was written `S::f` is a member too, where S is a class. */
void names_members(xlate *x)
{
    for (int k = 0; k < x->functions.n; k++) {
        function *f = &x->functions.at[k];
        int known = 0;
        for (int c = 0; c < x->classes.n; c++)
            known |= x->classes.at[c].id == f->of;
        f->is_defined_outside = f->of >= 0 && known && !f->is_member;
        f->is_member |= f->is_defined_outside;
    }
}

/* Could token i, which holds a name, be where a function declares that name? */
static int may_declare(const stream *s, const function *f, int i)
{
    int at = i - 1, open;
    while (is_punct(s, at, '*') || is_punct(s, at, '&'))
        at--;
    int operators = i - 1 - at;
    const token *before = &s->t[at];
    if (before->kind == T_NAME && !operators)
        return !rules_is_statement_word(before->id);
    if (before->kind == T_NAME) /* `T *n` begins a statement or a parameter, `a * n` does not */
        return !rules_is_statement_word(before->id) &&
               (s->t[at - 1].kind == T_NAME ? !rules_is_statement_word(s->t[at - 1].id)
                                            : strchr(";{}(,:>", s->t[at - 1].c) != NULL);
    if (before->kind != T_PUNCT)
        return 0;
    switch (before->c) {
    case '>':
        return !rules_is_member_access(s, i) && angle_open(s, at) >= 0;
    case ',':
        open = rules_around(s, i);
        return !is_punct(s, open, '(') || open == f->params || s->t[open - 1].kind != T_NAME ||
               is_name(s, open - 1, ID_FOR);
    case '[': /* captured, or an index */
        return s->t[at - 1].kind != T_NAME && !is_punct(s, at - 1, ')') && !is_punct(s, at - 1, ']');
    case '(': /* T (*n)[4] */
        return operators && rules_ends_declarator(s, at);
    }
    return 0;
}

/* How often a function may declare a name; `*at`: the last such place. */
static int declarations(const stream *s, const function *f, int id, int *at)
{
    int n = 0;
    for (int i = f->first + 1; i < s->t[f->body].mate; i++)
        if (i != f->name && is_name(s, i, id) && !rules_is_member_access(s, i) && may_declare(s, f, i)) {
            *at = i;
            n++;
        }
    return n;
}

/* May the function give the name of a class another meaning? */
static int hides_class(const stream *s, const function *f, int id)
{
    for (int i = f->first + 1; i < s->t[f->body].mate; i++)
        if (is_name(s, i, id) && s->t[i - 1].kind == T_NAME && may_declare(s, f, i) &&
            (s->t[i - 1].id < ID_CONST || s->t[i - 1].id > ID_CONSTINIT || s->t[i - 1].id == ID_TYPENAME))
            return 1;
    return 0;
}

/* An enumerator, a type or a namespace of that name anywhere. */
static int means_else(const xlate *x, int id)
{
    if (id < ID_COUNT || x->names.at[id].macro >= 0 || x->names.at[id].function >= 0 ||
        x->names.at[id].shared >= 0)
        return 1;
    for (int k = 0; k < x->files.n; k++) {
        const stream *s = &x->files.at[k].live;
        for (int i = 1; i < s->n; i++) {
            if (!is_name(s, i, id))
                continue;
            if (s->t[i - 1].kind == T_NAME &&
                ((s->t[i - 1].id >= ID_STRUCT && s->t[i - 1].id <= ID_USING) || s->t[i - 1].id == ID_CONCEPT))
                return 1;
            int open = rules_around(s, i);
            for (int b = open - 1; is_punct(s, open, '{') && b >= 0 && b > open - 6; b--)
                if (is_name(s, b, ID_ENUM))
                    return 1;
        }
    }
    return 0;
}

/* The host variable that an unqualified name means in a function: all variables of that name are. */
static const global_variable *host_variable(const xlate *x, const function *f, int id)
{
    const global_variable *found = NULL;
    for (int k = 0; k < x->variables.n; k++) {
        const global_variable *v = &x->variables.at[k];
        if (v->id != id)
            continue;
        if (v->is_device || v->is_constexpr || (v->is_const && !v->is_array))
            return NULL;
        if (!strncmp(v->scope, f->scope, strlen(v->scope)))
            found = v;
    }
    return found;
}

static void check_variables(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    int at;
    for (int i = f->body + 1; i < s->t[f->body].mate; i++) {
        const global_variable *v =
            s->t[i].kind == T_NAME && s->t[i].id >= ID_COUNT ? host_variable(x, f, s->t[i].id) : NULL;
        if (!v || rules_is_member_access(s, i) || is_punct(s, i - 1, ':') || is_punct(s, i - 1, '.') ||
            is_punct(s, i + 1, ':') || (is_punct(s, i - 1, ')') && is_name(s, i - 2, ID_VOID)) ||
            (is_punct(s, i - 1, '&') && is_punct(s, i - 2, '<')) || rules_is_unevaluated(s, i) ||
            declarations(s, f, v->id, &at) || means_else(x, v->id))
            continue;
        unit_refuse(x, f->file, s->t[i].pos,
                    v->is_const ? "device code uses '%s', a const array of the host: declare it __constant__"
                                : "device code uses '%s', a variable of the host: pass its value to the "
                                  "kernel, or declare it __device__ or __constant__",
                    x->names.at[v->id].text);
        return; /* once a function */
    }
}

/* What stands before the name at i that is called: the class whose member it must be, or -1. */
static int class_of_call(const function *f, const stream *s, int i)
{
    int at, arrow = rules_is_member_access(s, i) && is_punct(s, i - 1, '>');
    if (is_punct(s, i - 1, ':')) /* S::f() */
        return is_punct(s, i - 2, ':') && s->t[i - 3].kind == T_NAME && !is_punct(s, i - 4, ':')
                   ? s->t[i - 3].id
                   : -1;
    if (!rules_is_member_access(s, i)) /* f() */
        return f->is_member ? f->of : -1;
    int object = i - 2 - arrow;
    if (is_name(s, object, ID_THIS))
        return f->is_member ? f->of : -1;
    if (s->t[object].kind != T_NAME || s->t[object].id < ID_COUNT || rules_is_member_access(s, object) ||
        is_punct(s, object - 1, ':') || declarations(s, f, s->t[object].id, &at) != 1)
        return -1;
    int type = at - 1, pointer = 0;
    for (; is_punct(s, type, '*') || is_punct(s, type, '&') || is_name(s, type, ID_CONST) ||
           is_name(s, type, ID_RESTRICT);
         type--)
        pointer += is_punct(s, type, '*');
    if (is_punct(s, type, '>'))
        type = angle_open(s, type) - 1;
    if (pointer != arrow || type < f->first || s->t[type].kind != T_NAME || is_punct(s, at + 1, '['))
        return -1;
    return s->t[type].id;
}

static int declares(const stream *s, const function *f, int id)
{
    int at;
    return declarations(s, f, id, &at) > 0;
}

/* `using B::f;` somewhere: a class may have more functions of that name than it declares. */
static int is_brought_in(const xlate *x, int id)
{
    for (int k = 0; k < x->files.n; k++) {
        const stream *s = &x->files.at[k].live;
        for (int i = 0; i < s->n; i++) {
            int at = i;
            while (is_name(s, i, ID_USING) && at + 1 < s->n && !is_punct(s, at + 1, ';'))
                at++;
            if (at > i && is_name(s, at, id))
                return 1;
        }
    }
    return 0;
}

static void check_member_call(xlate *x, const function *f, int i, int on_device, int on_host)
{
    const stream *s = &x->files.at[f->file].live;
    int of = class_of_call(f, s, i), id = s->t[i].id, count = 0, device_only = 0, device = 0;
    const class_of *class = only_class(x, of);
    if (!class || x->names.at[id].macro >= 0 || x->names.at[of].macro >= 0 || hides_class(s, f, of) ||
        (!rules_is_member_access(s, i) && declares(s, f, id)) || rules_is_unevaluated(s, i) ||
        (class->is_template && (f->is_template || f->of == of)))
        return;
    for (int k = x->names.at[id].function; k >= 0; k = x->functions.at[k].next) {
        const function *g = &x->functions.at[k];
        unsigned q = g->qualifiers;
        if (g->of != of)
            continue;
        if (g->is_macro || g->is_template || g->is_friend)
            return;
        device |= (q & Q_DEVICE) || g->is_constexpr;
        count += !g->is_defined_outside;
        device_only += !g->is_defined_outside && (q & (Q_DEVICE | Q_HOST)) == Q_DEVICE;
    }
    const char *name = unit_text(x, "%s::%s", x->names.at[of].text, x->names.at[id].text);
    if (!count || is_brought_in(x, id))
        return;
    if (device_only == count && on_host)
        unit_refuse(x, f->file, s->t[i].pos,
                    "host code calls '%s', a __device__ function: mark it __host__ __device__ to have it on "
                    "both sides",
                    name);
    else if (!device && on_device && !on_host)
        unit_refuse(x, f->file, s->t[i].pos,
                    "device code calls '%s', a host function: mark it __device__ (or __host__ __device__)",
                    name);
}

static int is_between(const stream *s, const function *f, int id)
{
    for (int i = f->first; i < f->name; i++)
        if (is_name(s, i, id))
            return 1;
    return 0;
}

/* Does nvcc compile the function for the device, even if nothing calls it? */
static int is_emitted(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    if (f->is_member || f->of >= 0)
        return 0;
    return f->qualifiers & Q_GLOBAL || rules_is_used(x, f) ||
           !(f->is_template || is_between(s, f, ID_STATIC) || is_between(s, f, ID_INLINE) ||
             is_between(s, f, ID_INLINE2) || is_between(s, f, ID_INLINE3) ||
             is_between(s, f, ID_FORCEINLINE));
}

/* Lambdas and local classes with qualifiers, and branches that a template leaves out, are not looked into. */
static int is_simple(xlate *x, const stream *s, const function *f)
{
    for (int i = f->body; i < s->t[f->body].mate; i++)
        if (scan_qualifier(x, &s->t[i]) & (Q_DEVICE | Q_HOST) ||
            (is_name(s, i, ID_IF) && is_name(s, i + 1, ID_CONSTEXPR)))
            return 0;
    return 1;
}

void names_file(xlate *x, int at)
{
    const stream *s = &x->files.at[at].live;
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        unsigned q = f->qualifiers;
        int on_device = (q & (Q_DEVICE | Q_GLOBAL)) != 0, on_host = !on_device || (q & Q_HOST);
        if (f->file != at || f->body < 0 || f->is_macro || (f->is_template && !rules_is_used(x, f)) ||
            (on_device && on_host && f->is_template) || !is_simple(x, s, f))
            continue;
        int emitted = on_device && !on_host && is_emitted(x, f);
        if (emitted)
            check_variables(x, f);
        for (int i = f->body + 1; i < s->t[f->body].mate && (emitted || on_host); i++)
            if (s->t[i].kind == T_NAME && s->t[i].id >= ID_COUNT && is_punct(s, i + 1, '('))
                check_member_call(x, f, i, emitted, on_host);
    }
}
