/* SPDX-License-Identifier: MIT */
/* What a file declares outside function bodies: functions with their qualifiers, and device variables. */
#include "xlate_unit.h"

#include <string.h>

unsigned scan_qualifier(xlate *x, const token *t)
{
    if (t->kind != T_NAME)
        return 0;
    switch (t->id) {
    case ID_GLOBAL:
        return Q_GLOBAL;
    case ID_DEVICE:
        return Q_DEVICE;
    case ID_HOST:
        return Q_HOST;
    case ID_SHARED:
        return Q_SHARED;
    case ID_CONSTANT:
        return Q_CONSTANT;
    case ID_MANAGED:
        return Q_MANAGED;
    }
    unsigned found = 0;
    for (int m = x->names.at[t->id].macro; m >= 0; m = x->macros.at[m].next)
        if (m < t->macros)
            found |= x->macros.at[m].qualifiers;
    return found;
}

static int is_decorated(int id) /* a word that takes a parenthesis and is no function name */
{
    return id == ID_BOUNDS || id == ID_ALIGN || id == ID_ALIGNAS || id == ID_ATTRIBUTE ||
           id == ID_ATTRIBUTE2 || id == ID_DECLSPEC || id == ID_DECLTYPE || id == ID_TYPEOF ||
           id == ID_NOEXCEPT || id == ID_THROW || id == ID_EXPLICIT || id == ID_REQUIRES ||
           id == ID_CLUSTER || id == ID_BLOCKSIZE || id == ID_MAXNREG || id == ID_STATIC_ASSERT;
}

static int is_builtin_type(int id)
{
    return id >= ID_VOID && id <= ID_WCHAR;
}

static int is_specifier(int id) /* part of a declaration, but no type */
{
    return (id >= ID_GLOBAL && id <= ID_FORCEINLINE) || (id >= ID_CONST && id <= ID_CONSTINIT);
}

int scan_number(xlate *x, int *number)
{
    if (!*number)
        *number = ++x->numbers;
    return *number;
}

/* The function whose body holds token i, or NULL. */
function *scan_owner(xlate *x, int at, int i)
{
    const stream *s = &x->files.at[at].live;
    for (int k = x->functions.n - 1; k >= 0; k--) {
        function *f = &x->functions.at[k];
        if (f->file == at && f->body >= 0 && f->body < i && i < s->t[f->body].mate)
            return f;
    }
    return NULL;
}

/* Steps over a qualified name, `::a::b<c>::d`; the result is one past it. */
static int skip_name(const stream *s, int i, int end)
{
    for (;;) {
        if (is_punct(s, i, ':') && is_punct(s, i + 1, ':'))
            i += 2;
        if (is_name(s, i, ID_TEMPLATE))
            i++;
        if (i >= end || s->t[i].kind != T_NAME)
            return i;
        i++;
        if (is_punct(s, i, '<')) {
            int close = angle_close(s, i);
            if (close < 0 || close >= end)
                return i;
            i = close + 1;
        }
        if (!(is_punct(s, i, ':') && is_punct(s, i + 1, ':')))
            return i;
    }
}

/* Steps over the specifiers and the type of a declaration: the result is where its first declarator begins.
 */
static int skip_type(xlate *x, const stream *s, int i, int end)
{
    int typed = 0;
    while (i < end) {
        if (is_punct(s, i, '[') && s->t[i].mate > i) {
            i = s->t[i].mate + 1;
            continue;
        }
        if (is_punct(s, i, ':') && !typed) {
            i = skip_name(s, i, end);
            typed = 1;
            continue;
        }
        if (s->t[i].kind != T_NAME)
            return i;
        int id = s->t[i].id, paren = is_punct(s, i + 1, '(') ? s->t[i + 1].mate : -1;
        if (is_decorated(id) && paren > 0) {
            typed |= id == ID_DECLTYPE || id == ID_TYPEOF;
            i = paren + 1;
        } else if (is_specifier(id) || scan_qualifier(x, &s->t[i])) {
            i++;
        } else if (is_builtin_type(id)) {
            typed = 1;
            i++;
        } else if (id == ID_STRUCT || id == ID_CLASS || id == ID_UNION || id == ID_ENUM) {
            i++;
            while (i < end && is_decorated(s->t[i].id) && is_punct(s, i + 1, '(') && s->t[i + 1].mate > 0)
                i = s->t[i + 1].mate + 1;
            i = skip_name(s, i, end);
            while (i < end && is_punct(s, i, ':') && !is_punct(s, i, '{'))
                for (i++; i < end && !is_punct(s, i, '{') && !is_punct(s, i, ':');)
                    i++;
            if (is_punct(s, i, '{') && s->t[i].mate > 0)
                i = s->t[i].mate + 1;
            typed = 1;
        } else if (typed) {
            return i;
        } else if (paren > 0 && pp_macro(x, &s->t[i])) {
            i = paren + 1;
        } else {
            i = skip_name(s, i, end);
            typed = 1;
        }
    }
    return i;
}

int scan_declarators(xlate *x, const stream *s, int first, int end, declarator *out, int room)
{
    int i = skip_type(x, s, first, end), n = 0;
    while (i < end && n < room) {
        declarator d = {-1, -1, -1};
        for (; i < end && d.name < 0; i++) {
            if (s->t[i].kind == T_NAME && !is_specifier(s->t[i].id) && !is_decorated(s->t[i].id))
                d.name = i;
            else if (s->t[i].kind == T_NAME && is_decorated(s->t[i].id) && is_punct(s, i + 1, '(') &&
                     s->t[i + 1].mate > i)
                i = s->t[i + 1].mate;
            else if (!is_punct(s, i, '*') && !is_punct(s, i, '&') && !is_punct(s, i, '(') &&
                     s->t[i].kind != T_NAME)
                return n;
        }
        if (d.name < 0)
            return n;
        for (; i < end && !is_punct(s, i, ','); i++) {
            int direct = i == d.name + 1 || is_punct(s, i - 1, ']');
            if (d.init < 0 && (is_punct(s, i, '=') || is_punct(s, i, '{') || (is_punct(s, i, '(') && direct)))
                d.init = i;
            if (s->t[i].mate > i)
                i = s->t[i].mate;
        }
        d.end = i++;
        out[n++] = d;
    }
    return n;
}

typedef struct scanner {
    xlate *x;
    int file, depth, of; /* of: the class whose body this is, or -1 */
    const stream *s;
} scanner;

static void scan_scope(scanner *c, int i, int end, const char *scope, int in_class);

/* Counts the parameters of `template <...>` at the '<'; their names are not looked at. */
static void count_parameters(const stream *s, int open, int close, function *f)
{
    int depth = 0;
    f->template_params = close > open + 1;
    for (int i = open + 1; i < close; i++) {
        if (s->t[i].mate > i)
            i = s->t[i].mate;
        depth += is_punct(s, i, '<') - is_punct(s, i, '>');
        f->template_params += !depth && is_punct(s, i, ',');
        f->template_pack |= is_punct(s, i, '.') && is_punct(s, i + 1, '.');
    }
}

/* The name for use in its own scope: qualified, but where n::n::k would find the inner n first. */
const char *scan_label(xlate *x, const char *scope, int id)
{
    for (const char *part = scope; *part;) {
        size_t n = (size_t)(strstr(part, "::") + 2 - part);
        for (const char *later = part + n; *later; later = strstr(later, "::") + 2)
            if (!strncmp(part, later, n))
                return x->names.at[id].text;
        part += n;
    }
    return unit_text(x, "%s%s", scope, x->names.at[id].text);
}

static void add_symbols(scanner *c, int first, int end, unsigned qualifiers, const char *scope)
{
    xlate *x = c->x;
    declarator d[32];
    const char *space = qualifiers & Q_CONSTANT ? "CONSTANT" : qualifiers & Q_MANAGED ? "MANAGED" : "DEVICE";
    int n = scan_declarators(x, c->s, first, end, d, 32);
    for (int i = 0; i < n; i++)
        file_edit(x, c->file, c->s->t[end].pos + 1, 0,
                  unit_text(x, " SIM_SYMBOL(%s, SIM_SPACE_%s);", scan_label(x, scope, c->s->t[d[i].name].id),
                            space));
}

static void add_function(scanner *c, function f)
{
    xlate *x = c->x;
    const stream *s = c->s;
    int depth = 0;
    f.id = s->t[f.name].id;
    f.is_macro = pp_macro(x, &s->t[f.name]) != NULL;
    f.of = c->of;
    if (is_punct(s, f.name - 1, ':') && is_punct(s, f.name - 2, ':')) {
        int before = is_punct(s, f.name - 3, '>') ? angle_open(s, f.name - 3) - 1 : f.name - 3;
        f.of = before > f.first && s->t[before].kind == T_NAME ? s->t[before].id : -1;
    }
    f.file = c->file;
    f.line = s->t[f.name].line;
    for (int i = f.params + 1; i < s->t[f.params].mate; i++) {
        if (s->t[i].mate > i)
            i = s->t[i].mate;
        depth += is_punct(s, i, '<') - is_punct(s, i, '>');
        f.defaults |= !depth && is_punct(s, i, '=');
    }
    f.next = x->names.at[f.id].function;
    *PUSH(x, x->functions) = f;
    x->names.at[f.id].function = x->functions.n - 1;
}

static int is_class_key(const stream *s, int i)
{
    return s->t[i].kind == T_NAME &&
           (s->t[i].id == ID_STRUCT || s->t[i].id == ID_CLASS || s->t[i].id == ID_UNION);
}

/* The name of the class whose body begins at `body`, or that a typedef gives it; -1 when it has none. */
static int class_name(const stream *s, int key, int body, int is_typedef)
{
    int i = key + 1;
    for (; i < body && (s->t[i].kind != T_NAME || is_decorated(s->t[i].id)); i++)
        if (s->t[i].mate > i)
            i = s->t[i].mate;
    if (i < body)
        return is_punct(s, i + 1, '<') || (is_punct(s, i + 1, ':') && is_punct(s, i + 2, ':')) ? -1 : i;
    i = s->t[body].mate + 1;
    return is_typedef && s->t[i].kind == T_NAME && is_punct(s, i + 1, ';') ? i : -1;
}

/* One declaration from i on; the result is one past it. */
static int scan_declaration(scanner *c, int i, int end, const char *scope, int in_class)
{
    xlate *x = c->x;
    const stream *s = c->s;
    function f = {.scope = scope, .first = i, .name = -1, .body = -1, .bounds = -1, .is_member = in_class};
    int assigned = 0, colon = 0, is_class = 0, is_extern = 0, is_typedef = 0, type = -1;
    for (; i < end; i++) {
        const token *t = &s->t[i];
        if (t->kind == T_NAME) {
            const macro *m = is_punct(s, i + 1, '(') && s->t[i + 1].mate > 0 ? pp_macro(x, t) : NULL;
            int after = m && m->like_function ? s->t[i + 1].mate + 1 : 0;
            if (after && m->body.n &&
                (is_punct(&m->body, m->body.n - 1, '}') || is_punct(&m->body, m->body.n - 1, ';')))
                return after; /* the macro is the whole declaration */
            if (!after || is_punct(s, after, '(') || is_punct(s, after, '{')) /* or the head of one */
                f.qualifiers |= scan_qualifier(x, t);
            f.is_friend |= t->id == ID_FRIEND;
            f.is_constexpr |= t->id == ID_CONSTEXPR;
            is_class = is_class ? is_class : is_class_key(s, i) ? i + 1 : 0;
            is_extern |= t->id == ID_EXTERN;
            is_typedef |= t->id == ID_TYPEDEF || t->id == ID_USING || t->id == ID_CONCEPT;
            if (t->id == ID_TEMPLATE && is_punct(s, i + 1, '<')) {
                int close = angle_close(s, i + 1);
                if (close < 0)
                    continue;
                f.is_template = 1;
                f.template_open = i + 1;
                count_parameters(s, i + 1, close, &f);
                i = close;
            } else if (t->id == ID_OPERATOR) { /* its own name may hold brackets and commas */
                int k = i + 1;
                while (k < end && k < i + 4 && !is_punct(s, k, '('))
                    k++;
                if (is_punct(s, k, '(') && k == i + 1 && s->t[k].mate == k + 1)
                    k += 2;
                if (is_punct(s, k, '(') && s->t[k].mate > 0) {
                    f.name = i;
                    f.params = k;
                    i = s->t[k].mate;
                }
            }
            continue;
        }
        if (t->kind != T_PUNCT)
            continue;
        if (t->c == ';')
            break;
        if (t->c == '=' && f.name < 0)
            assigned = 1;
        if (t->c == ':' && is_punct(s, i + 1, ':')) {
            i++;
        } else if (t->c == ':' && f.name >= 0) {
            colon = 1;
        } else if (t->c == ':' && i == f.first + 1) {
            return i + 1; /* public: and the like */
        } else if (t->c == '(' && t->mate > 0) {
            const token *before = i > f.first ? &s->t[i - 1] : NULL;
            if (before && before->kind == T_NAME && before->id == ID_BOUNDS)
                f.bounds = i;
            else if (before && before->kind == T_NAME && !is_decorated(before->id) &&
                     !is_specifier(before->id) && !is_builtin_type(before->id) && !assigned && !colon &&
                     !is_punct(s, i + 1, '*') && !is_punct(s, i + 1, '&')) {
                f.name = i - 1;
                f.params = i;
            } else if (f.name < 0 && f.is_template && !f.template_params && before &&
                       is_punct(s, i - 1, '>')) {
                f.name = angle_open(s, i - 1) - 1; /* template <> void k<int>(...) */
                f.params = i;
                if (f.name <= f.first || s->t[f.name].kind != T_NAME)
                    f.name = -1;
            }
            i = t->mate;
        } else if (t->c == '[' && t->mate > 0) {
            i = t->mate;
        } else if (t->c == '{' && t->mate > 0) {
            int initialiser = colon && (s->t[i - 1].kind == T_NAME || is_punct(s, i - 1, '>'));
            if (f.name >= 0 && !assigned && !initialiser) {
                f.body = i;
                break;
            }
            if (is_class && !assigned && f.name < 0) {
                int named = class_name(s, is_class - 1, i, is_typedef), outer = c->of;
                c->of = named >= 0 ? s->t[named].id : -1;
                *PUSH(x, x->classes) = (class_of){c->of, f.is_template};
                scan_scope(c, i + 1, t->mate, scope, 1);
                c->of = outer;
                if (c->file == 0 && !in_class && !f.is_template && type < 0)
                    type = named;
            }
            i = t->mate;
        } else if (t->c == '}') {
            return i + 1;
        }
    }
    if (type >= 0 && i < end)
        file_edit(x, c->file, s->t[i].pos + 1, 0,
                  unit_text(x, " SIM_TYPE(%s);", scan_label(x, scope, s->t[type].id)));
    if (f.name >= 0 && !assigned && !is_typedef) {
        add_function(c, f);
        if (f.body >= 0)
            return s->t[f.body].mate + 1;
    } else if (f.qualifiers & (Q_DEVICE | Q_CONSTANT | Q_MANAGED) && !(f.qualifiers & Q_SHARED) && i < end &&
               !in_class && !f.is_template && !is_typedef && !(is_extern && !assigned)) {
        add_symbols(c, f.first, i, f.qualifiers, scope);
    }
    if (f.name < 0 && i < end && !in_class && !is_typedef && !f.is_friend)
        names_variables(x, s, f.first, i, f.qualifiers, scope);
    return i + 1;
}

static void scan_scope(scanner *c, int i, int end, const char *scope, int in_class)
{
    const stream *s = c->s;
    if (++c->depth > 200)
        end = i;
    while (i < end) {
        int from = i + is_name(s, i, ID_INLINE);
        if (is_name(s, from, ID_NAMESPACE)) {
            int k = from + 1;
            while (k < end && !is_punct(s, k, '{') && !is_punct(s, k, ';') && !is_punct(s, k, '='))
                k++;
            if (is_punct(s, k, '{') && s->t[k].mate > 0) {
                const char *inner = scope;
                for (int n = from + 1; n < k; n++)
                    if (s->t[n].kind == T_NAME && !is_decorated(s->t[n].id) && s->t[n].id != ID_INLINE)
                        inner = unit_text(c->x, "%s%s::", inner, c->x->names.at[s->t[n].id].text);
                scan_scope(c, k + 1, s->t[k].mate, inner, 0);
                i = s->t[k].mate + 1;
                continue;
            }
        }
        if (is_name(s, i, ID_EXTERN) && i + 2 < end && s->t[i + 1].kind == T_STRING &&
            is_punct(s, i + 2, '{') && s->t[i + 2].mate > 0) {
            scan_scope(c, i + 3, s->t[i + 2].mate, scope, 0);
            i = s->t[i + 2].mate + 1;
            continue;
        }
        if (is_name(s, i, ID_TEMPLATE) && !is_punct(s, i + 1, '<')) { /* explicit instantiation */
            while (i < end && !is_punct(s, i, ';'))
                i++;
        }
        i = scan_declaration(c, i, end, scope, in_class);
    }
    c->depth--;
}

void scan_file(xlate *x, int at)
{
    scanner c = {x, at, 0, -1, &x->files.at[at].live};
    scan_scope(&c, 0, c.s->n, "", 0);
}

/* The parameter types as text, without names and defaults, so that a prototype equals its definition. */
const char *scan_signature(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    const char *text = "";
    int last = s->t[f->params].mate, depth = 0;
    for (int i = f->params + 1, from = i; i <= last; i++) {
        if (i < last && s->t[i].mate > i)
            i = s->t[i].mate;
        depth += is_punct(s, i, '<') - is_punct(s, i, '>');
        if (i < last && (depth > 0 || !is_punct(s, i, ',')))
            continue;
        int end = from;
        while (end < i && !is_punct(s, end, '='))
            end++;
        int named = end - from > 1 && s->t[end - 1].kind == T_NAME && !is_builtin_type(s->t[end - 1].id) &&
                    !is_punct(s, end - 2, ':') && !is_name(s, end - 2, ID_CONST) &&
                    !is_name(s, end - 2, ID_STRUCT);
        for (int k = from; k < end - named; k++)
            text = unit_text(x, "%s %.*s", text, (int)s->t[k].bytes, x->files.at[f->file].text + s->t[k].pos);
        text = unit_text(x, "%s,", text);
        from = i + 1;
    }
    return text;
}

/* Can the function be named without saying which one is meant? */
int scan_is_plain(xlate *x, const function *f)
{
    if (f->is_template || f->is_member || f->is_macro)
        return 0;
    const char *mine = scan_signature(x, f);
    for (int k = x->names.at[f->id].function; k >= 0; k = x->functions.at[k].next) {
        const function *other = &x->functions.at[k];
        if (other->is_member || other->is_friend || strcmp(other->scope, f->scope))
            continue;
        if (other->is_template || strcmp(scan_signature(x, other), mine))
            return 0;
    }
    return 1;
}
