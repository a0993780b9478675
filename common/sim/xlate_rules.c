/* SPDX-License-Identifier: MIT */
/* What nvcc refuses and a host compiler would let pass. Names are looked up without types, so every rule
 * keeps quiet where a name could mean something else; g++ finds the rest. */
#include "xlate_unit.h"

#include <string.h>

/* C library functions that have no device version (each tried with nvcc 13.0). */
static const char *const host_only[] = {
    "abort",         "atexit",    "atof",    "atoi",    "atol",         "atoll",   "bsearch", "calloc",
    "clock_gettime", "close",     "div",     "drand48", "exit",         "fclose",  "fflush",  "fgetc",
    "fgets",         "fopen",     "fprintf", "fputc",   "fputs",        "fread",   "fscanf",  "fseek",
    "ftell",         "fwrite",    "getchar", "getenv",  "gettimeofday", "gmtime",  "isalpha", "isdigit",
    "isspace",       "localtime", "lrand48", "memcmp",  "memmove",      "open",    "perror",  "putc",
    "putchar",       "puts",      "qsort",   "rand",    "random",       "read",    "realloc", "scanf",
    "sleep",         "snprintf",  "sprintf", "srand",   "srandom",      "sscanf",  "strcat",  "strchr",
    "strcmp",        "strcpy",    "strdup",  "strncmp", "strncpy",      "strstr",  "strtod",  "strtof",
    "strtok",        "strtol",    "strtoul", "system",  "time",         "tolower", "toupper", "usleep",
    "write"};

/* How the names of functions begin that CUDA has on the device only (each tried with nvcc 13.0). */
static const char *const device_only[] = {
    "__syncthreads", "__syncwarp", "__threadfence", "__shfl_",       "__ballot_sync",  "__all_sync",
    "__any_sync",    "__match_",   "__reduce_",     "__activemask",  "__ldg",          "__ldc",
    "__ldlu",        "__stwb",     "__stc",         "__stwt",        "__popc",         "__clz",
    "__ffs",         "__brev",     "__byte_perm",   "__funnelshift", "__mul24",        "__umul",
    "__mulhi",       "__mul64",    "__sad",         "__usad",        "__rhadd",        "__uhadd",
    "__urhadd",      "__sinf",     "__cosf",        "__tanf",        "__sincosf",      "__expf",
    "__exp10f",      "__logf",     "__log2f",       "__log10f",      "__powf",         "__fdividef",
    "__saturatef",   "__frcp_",    "__fsqrt_",      "__frsqrt_",     "__fadd_",        "__fsub_",
    "__fmul_",       "__fmaf_",    "__fdiv_",       "__dadd_",       "__dmul_",        "__fma_",
    "__float_as_",   "__int_as_",  "__uint_as_",    "__double_as_",  "__longlong_as_", "__double2loint",
    "__double2hi",   "__hiloint2", "__float2int_",  "__float2uint_", "__int2float_",   "__double2int_",
    "__nanosleep",   "__trap",     "__brkpt",       "__dp4a",        "__vadd",         "__vabsdiff",
    "__isGlobal",    "__isShared", "clock64",       "tex1D",         "tex2D",          "surf2D"};

static const char *const host_std[] = {
    "cin",           "cout",          "cerr",         "clog",        "endl",        "string",
    "vector",        "map",           "set",          "list",        "deque",       "unordered_map",
    "unordered_set", "ostringstream", "stringstream", "to_string",   "thread",      "mutex",
    "function",      "unique_ptr",    "shared_ptr",   "make_unique", "make_shared", "sort"};

static const struct {
    const char *prefix;
    int whole;
} unsupported[] = {{"cuda/", 0},
                   {"cub/", 0},
                   {"thrust/", 0},
                   {"mma.h", 1},
                   {"cuda_pipeline.h", 1},
                   {"cuda_awbarrier.h", 1},
                   {"cublas", 0},
                   {"cudnn", 0},
                   {"cufft", 0},
                   {"curand", 0},
                   {"cusparse", 0},
                   {"cusolver", 0},
                   {"nccl.h", 1},
                   {"nvrtc.h", 1},
                   {"npp", 0},
                   {"cutlass/", 0},
                   {"cute/", 0},
                   {"cuda_fp8.h", 1},
                   {"cuda_fp4.h", 1},
                   {"cudaGL.h", 1},
                   {"cuda_gl_interop.h", 1}};

void rules_include(xlate *x, int file, unsigned pos, const char *name)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (unsupported[i].whole ? !strcmp(name, unsupported[i].prefix)
                                 : !strncmp(name, unsupported[i].prefix, strlen(unsupported[i].prefix)))
            unit_refuse(x, file, pos,
                        "the simulated device does not support <%s>; it works with nvcc on a GPU", name);
}

static int listed(const char *const *list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], text))
            return 1;
    return 0;
}

static int is_device_only(const char *name)
{
    for (size_t i = 0; i < sizeof device_only / sizeof *device_only; i++)
        if (!strncmp(name, device_only[i], strlen(device_only[i])))
            return 1;
    return !strncmp(name, "atomic", 6) && name[6] >= 'A' && name[6] <= 'Z';
}
#define LISTED(list, text) listed(list, sizeof list / sizeof *list, text)

/* Words after which a name is used, not declared. */
int rules_is_statement_word(int id)
{
    return (id >= ID_RETURN && id <= ID_CATCH) || id == ID_SIZEOF || id == ID_THROW || id == ID_OPERATOR;
}

/* `T (*n)[4]`, `T (&n)(int)`: the parenthesis at `open` belongs to a declarator. */
int rules_ends_declarator(const stream *s, int open)
{
    int after = s->t[open].mate + 1;
    return after > open && (is_punct(s, after, '[') || is_punct(s, after, '('));
}

/* Could token i declare the name it holds? */
static int is_declaration(const stream *s, int i)
{
    if (i < 1)
        return 0;
    const token *before = &s->t[i - 1];
    if (before->kind == T_NAME)
        return !rules_is_statement_word(before->id);
    if (is_punct(s, i - 1, '>'))
        return !is_punct(s, i - 2, '-');
    if (!is_punct(s, i - 1, '&') && !is_punct(s, i - 1, '*'))
        return 0;
    return (is_punct(s, i - 2, '(') && rules_ends_declarator(s, i - 2)) || is_punct(s, i - 2, '>') ||
           is_punct(s, i - 2, '&') || (i > 1 && s->t[i - 2].kind == T_NAME && s->t[i - 2].id < ID_RETURN);
}

typedef struct caller {
    xlate *x;
    const function *f;
    const stream *s;
    int first, last; /* the body */
    int on_device, on_host;
} caller;

/* Does the function, its parameters or its template's declare a name of its own? */
static int is_local(const caller *c, int id)
{
    for (int i = c->f->first; i <= c->last; i++)
        if (i != c->f->name && is_name(c->s, i, id) && is_declaration(c->s, i))
            return 1;
    return 0;
}

static void refuse(const caller *c, int i, const char *rule, const char *name)
{
    unit_refuse(c->x, c->s->file, c->s->t[i].pos, rule, name);
}

int rules_is_member_access(const stream *s, int i)
{
    return is_punct(s, i - 1, '.') ||
           (is_punct(s, i - 1, '>') && is_punct(s, i - 2, '-') && stream_joined(s, i - 2));
}

/* What the functions of a name have in common. */
typedef struct callees {
    int count, kernels, device_only, host_only, bodies;
} callees;

static callees find_callees(const caller *c, int i)
{
    const xlate *x = c->x;
    callees found = {0, 0, 0, 0, 0};
    const char *scope = NULL;
    if (is_punct(c->s, i - 1, ':'))
        scope = i > 2 && c->s->t[i - 3].kind == T_NAME ? x->names.at[c->s->t[i - 3].id].text : "";
    for (int k = x->names.at[c->s->t[i].id].function; k >= 0; k = x->functions.at[k].next) {
        const function *f = &x->functions.at[k];
        size_t n = strlen(f->scope), m = scope ? strlen(scope) : 0;
        if (f->is_member || f->is_macro) {
            if (f->is_member && c->f->is_member)
                return (callees){0, 0, 0, 0, 0};
            continue;
        }
        if (scope && (m ? n < m + 2 || strncmp(f->scope + n - m - 2, scope, m) : n != 0))
            continue;
        unsigned q = f->qualifiers;
        found.count++;
        found.kernels += (q & Q_GLOBAL) != 0;
        found.device_only += (q & (Q_DEVICE | Q_HOST | Q_GLOBAL)) == Q_DEVICE && !f->is_template;
        found.host_only += !(q & (Q_DEVICE | Q_GLOBAL)) && !f->is_constexpr;
        found.bodies += f->body >= 0;
    }
    return found;
}

/* The bracket that is open around token i, or -1. */
int rules_around(const stream *s, int i)
{
    for (i--; i >= 0; i--) {
        if (s->t[i].mate >= 0 && s->t[i].mate < i)
            i = s->t[i].mate;
        else if (s->t[i].mate > i)
            return i;
    }
    return -1;
}

/* In the operand of sizeof and the like. */
int rules_is_unevaluated(const stream *s, int i)
{
    for (int open = i; open >= 0 && !is_punct(s, open, '{'); open = rules_around(s, open)) {
        int id = open > 0 && s->t[open - 1].kind == T_NAME ? s->t[open - 1].id : -1;
        if (id == ID_SIZEOF || id == ID_DECLTYPE || id == ID_NOEXCEPT || id == ID_ALIGNOF || id == ID_TYPEOF)
            return 1;
    }
    return 0;
}

static void check_library(const caller *c, int i, const char *name)
{
    int is_std = is_punct(c->s, i - 1, ':') && is_name(c->s, i - 3, ID_STD);
    if (is_punct(c->s, i - 1, ':') && !is_std && i > 2 && c->s->t[i - 3].kind == T_NAME)
        return;
    if (LISTED(host_only, name))
        refuse(c, i,
               "device code calls '%s', a function of the host's C library: it does not exist on the device",
               name);
    else if (!strncmp(name, "cuda", 4) && name[4] >= 'A' && name[4] <= 'Z')
        refuse(c, i, "device code calls '%s': the simulated device has no runtime API in kernels", name);
}

static void check_call(const caller *c, int i)
{
    xlate *x = c->x;
    const stream *s = c->s;
    int id = s->t[i].id;
    const char *name = x->names.at[id].text;
    if (id < ID_COUNT || is_declaration(s, i) || rules_is_unevaluated(s, i) || x->names.at[id].macro >= 0 ||
        is_local(c, id))
        return;
    callees found = find_callees(c, i);
    if (found.count && found.kernels == found.count)
        refuse(
            c, i,
            "'%s' is a __global__ function: call it with a configuration, kernel<<<grid, block>>>(arguments)",
            name);
    else if (found.count && found.device_only == found.count && c->on_host)
        refuse(
            c, i,
            "host code calls '%s', a __device__ function: only kernels and other __device__ functions can; "
            "mark it __host__ __device__ to have it on both sides",
            name);
    else if (found.bodies && found.host_only == found.count && c->on_device && !c->on_host)
        refuse(c, i, "device code calls '%s', a host function: mark it __device__ (or __host__ __device__)",
               name);
    else if (x->names.at[id].function < 0 && c->on_device && !c->on_host)
        check_library(c, i, name);
    else if (x->names.at[id].function < 0 && c->on_host && !is_punct(s, i - 1, ':') && is_device_only(name))
        refuse(c, i,
               "host code calls '%s', which exists on the device only: call it in a kernel or in a "
               "__device__ function",
               name);
}

static void check_standard(const caller *c, int i)
{
    const char *name = c->x->names.at[c->s->t[i].id].text;
    int is_std = is_punct(c->s, i - 1, ':') && is_punct(c->s, i - 2, ':') && is_name(c->s, i - 3, ID_STD);
    int is_stream = is_punct(c->s, i + 1, '<') && is_punct(c->s, i + 2, '<') &&
                    (!strcmp(name, "cout") || !strcmp(name, "cerr"));
    if (is_std ? LISTED(host_std, name)
               : is_stream && !is_punct(c->s, i - 1, ':') && !is_local(c, c->s->t[i].id))
        refuse(c, i, "device code uses std::%s, which exists on the host only (printf works in kernels)",
               name);
}

/* &threadIdx, &(threadIdx.x): whether the & at `at` takes an address. */
static int is_address_of(const stream *s, int at)
{
    const token *before = at > 0 ? &s->t[at - 1] : NULL;
    if (!is_punct(s, at, '&') || !before)
        return 0;
    if (before->kind == T_NAME)
        return rules_is_statement_word(before->id) && before->id != ID_OPERATOR;
    if (is_punct(s, at - 1, ')')) /* a cast to a pointer */
        return is_punct(s, at - 2, '*');
    return before->kind == T_PUNCT && strchr("(,={;[?:!<+-|^", before->c);
}

/* Host code may name them and nvcc does not mind; what it reads there means nothing. */
static void check_builtin_on_host(const caller *c, int i)
{
    if (is_punct(c->s, i + 1, '.') && !c->f->is_member && !is_punct(c->s, i - 1, ':') &&
        !rules_is_unevaluated(c->s, i) && !is_local(c, c->s->t[i].id))
        unit_warn(c->x, c->s->file, c->s->t[i].pos,
                  "host code reads '%s', which has a meaning on the device only: is a __global__ or "
                  "__device__ missing here?",
                  c->x->names.at[c->s->t[i].id].text);
}

/* threadIdx.x = 3, ++blockIdx.y, gridDim = ... */
static void check_builtin(const caller *c, int i)
{
    const stream *s = c->s;
    int end = i + 1, first = i;
    if (is_local(c, s->t[i].id))
        return;
    while (is_punct(s, first - 1, '('))
        first--;
    if (is_address_of(s, first - 1))
        refuse(c, first - 1,
               "the address of '%s' cannot be taken: it is no variable in memory, copy its value",
               c->x->names.at[s->t[i].id].text);
    if (is_punct(s, end, '.'))
        end += 2;
    int step = (is_punct(s, i - 1, '+') && is_punct(s, i - 2, '+')) ||
               (is_punct(s, i - 1, '-') && is_punct(s, i - 2, '-')) ||
               (is_punct(s, end, '+') && is_punct(s, end + 1, '+') && stream_joined(s, end)) ||
               (is_punct(s, end, '-') && is_punct(s, end + 1, '-') && stream_joined(s, end));
    int assign = is_punct(s, end, '=') && !is_punct(s, end + 1, '=');
    if (end < s->n && s->t[end].kind == T_PUNCT && strchr("+-*/%&|^", s->t[end].c) &&
        is_punct(s, end + 1, '='))
        assign = stream_joined(s, end);
    if (step || assign)
        refuse(c, i, "'%s' cannot be assigned to: the device sets it for each thread",
               c->x->names.at[s->t[i].id].text);
}

static void check_lambda(const caller *c, int i)
{
    const stream *s = c->s;
    int before = i - 1;
    while (before > 0 && scan_qualifier(c->x, &s->t[before]))
        before--;
    if (!is_punct(s, before, ']') && !is_punct(s, before, ')'))
        return;
    if (scan_qualifier(c->x, &s->t[i - 1]) == 0 && !(c->x->flags & XLATE_DEVICE_LAMBDAS))
        refuse(c, i, "a lambda marked %s needs the flag --extended-lambda, as with nvcc",
               c->x->names.at[s->t[i].id].text);
}

/* asm("") and asm volatile("" ::: "memory"): no instruction, only an order for the compiler. */
static int is_compiler_barrier(const stream *s, int i)
{
    while (i < s->n && !is_punct(s, i, '('))
        i++;
    return i + 1 < s->n && s->t[i + 1].kind == T_STRING && s->t[i + 1].bytes == 2;
}

static void check_body(const caller *c);

/* A __device__ function within another one's body, a lambda or a member of a local class: the '{' of its
 * body; -1: the qualifier at i does something else. */
static int inner_body(const caller *c, int i)
{
    const stream *s = c->s;
    int has_parameters = is_punct(s, i - 1, ')');
    for (; i < c->last; i++) {
        if (is_punct(s, i, '{'))
            return s->t[i].mate > i &&
                           (has_parameters || is_punct(s, i - 1, ']') || scan_qualifier(c->x, &s->t[i - 1]))
                       ? i
                       : -1;
        if (is_punct(s, i, ';') || is_punct(s, i, '=') || is_punct(s, i, '}'))
            return -1;
        if (is_punct(s, i, '('))
            has_parameters = 1;
        if (s->t[i].mate > i)
            i = s->t[i].mate;
    }
    return -1;
}

/* `__constant__ int a;` in a function. The result is where the declaration ends, or i. */
static int check_variable(const caller *c, int i)
{
    const stream *s = c->s;
    int first = i, end = i, open = rules_around(s, i), is_static = 0, is_extern = 0, is_class = 0;
    declarator d;
    unsigned qualifiers = 0;
    if (!is_punct(s, open, '{'))
        return i;
    while (first - 1 > open && !is_punct(s, first - 1, ';') && !is_punct(s, first - 1, '}') &&
           !is_punct(s, first - 1, ':'))
        first--;
    while (end < c->last && !is_punct(s, end, ';'))
        end = s->t[end].mate > end ? s->t[end].mate + 1 : end + 1;
    for (int k = open - 1;
         k > c->first && !is_punct(s, k, ';') && !is_punct(s, k, '{') && !is_punct(s, k, '}'); k--)
        is_class |= s->t[k].kind == T_NAME && s->t[k].id >= ID_STRUCT && s->t[k].id <= ID_UNION;
    for (int k = first; k < end; k++) {
        is_static |= is_name(s, k, ID_STATIC);
        is_extern |= is_name(s, k, ID_EXTERN) || is_name(s, k, ID_TYPEDEF);
        qualifiers |= scan_qualifier(c->x, &s->t[k]);
    }
    if (is_class || is_extern || qualifiers & Q_SHARED || (is_static && !c->on_host) ||
        scan_declarators(c->x, s, first, end, &d, 1) != 1 || is_punct(s, d.name + 1, '('))
        return i;
    refuse(c, i,
           is_static
               ? "a static %s variable in host code: declare it outside of functions"
               : "a %s variable that is declared inside a function: declare it outside of functions, or "
                 "static in a kernel",
           qualifiers & Q_CONSTANT  ? "__constant__"
           : qualifiers & Q_MANAGED ? "__managed__"
                                    : "__device__");
    return end;
}

static void check_body(const caller *c)
{
    const stream *s = c->s;
    for (int i = c->first; i < c->last; i++) {
        if (s->t[i].kind != T_NAME) {
            if (c->on_device && !c->on_host && is_punct(s, i, '<') && is_punct(s, i + 1, '<') &&
                is_punct(s, i + 2, '<') && stream_joined(s, i) && !is_name(s, i - 1, ID_OPERATOR)) {
                refuse(c, i,
                       "the simulated device does not support a launch from device code%s; it works with "
                       "nvcc -rdc=true on a GPU",
                       "");
                i += 2;
            }
            continue;
        }
        int id = s->t[i].id, after = i + 1;
        if (is_punct(s, after, '<') && !is_punct(s, after + 1, '<')) {
            int close = angle_close(s, after);
            after = close > 0 ? close + 1 : after;
        }
        if (rules_is_member_access(s, i))
            continue;
        unsigned qualifiers = scan_qualifier(c->x, &s->t[i]);
        if (i > c->first + 1 && (id == ID_DEVICE || id == ID_HOST))
            check_lambda(c, i);
        if (qualifiers & (Q_DEVICE | Q_CONSTANT | Q_MANAGED)) {
            int inner = inner_body(c, i);
            if (inner < 0) {
                i = check_variable(c, i);
                continue;
            }
            for (int k = i + 1; k < inner; k++)
                qualifiers |= scan_qualifier(c->x, &s->t[k]);
            int on_host = (qualifiers & Q_HOST) != 0 || is_name(s, i - 1, ID_HOST);
            caller nested = {c->x, c->f, s, inner, s->t[inner].mate, 1, on_host};
            check_body(&nested);
            i = s->t[inner].mate;
            continue;
        }
        if (id >= ID_THREADIDX && id <= ID_GRIDDIM && c->on_device)
            check_builtin(c, i);
        else if (id >= ID_THREADIDX && id <= ID_GRIDDIM && !c->f->is_template)
            check_builtin_on_host(c, i);
        else if ((id == ID_ASM || id == ID_ASM2 || id == ID_ASM3) && c->on_device && !c->on_host &&
                 !is_compiler_barrier(s, i))
            refuse(c, i, "the simulated device does not support PTX in %s; it works with nvcc on a GPU",
                   c->x->names.at[id].text);
        else if ((id == ID_TRY ||
                  (id == ID_THROW && !(is_punct(s, i + 1, '(') && is_punct(s, i + 2, ')')))) &&
                 c->on_device && !c->on_host)
            refuse(c, i, "'%s' in device code, which does not support exception handling",
                   c->x->names.at[id].text);
        else if ((id == ID_DYNAMIC_CAST || id == ID_TYPEID) && c->on_device && !c->on_host)
            refuse(c, i, "'%s' in device code, which does not support run-time type information",
                   c->x->names.at[id].text);
        else if (is_punct(s, after, '('))
            check_call(c, i);
        if (c->on_device && !c->on_host && id >= ID_COUNT)
            check_standard(c, i);
    }
}

/* Templates are checked where they are used only, as nvcc does: is the name used besides being declared? */
int rules_is_used(xlate *x, const function *f)
{
    int declared = 0, seen = 0;
    for (int k = x->names.at[f->id].function; k >= 0; k = x->functions.at[k].next)
        declared++;
    for (int k = 0; k < x->files.n; k++)
        for (int i = 0; i < x->files.at[k].live.n; i++)
            seen += is_name(&x->files.at[k].live, i, f->id);
    return seen > declared;
}

static void check_parameters(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    int close = s->t[f->params].mate;
    if (is_name(s, close + 1, ID_NOEXCEPT))
        unit_refuse(x, f->file, s->t[close + 1].pos,
                    "the kernel '%s' cannot be noexcept: a __global__ function may not",
                    x->names.at[f->id].text);
    if (is_punct(s, close - 1, '.') && is_punct(s, close - 2, '.') &&
        (close - 4 == f->params || is_punct(s, close - 4, ',')))
        unit_refuse(x, f->file, s->t[close - 3].pos,
                    "the kernel '%s' takes '...': a __global__ function cannot have a variable number of "
                    "parameters; a template can, template <class... A>",
                    x->names.at[f->id].text);
    for (int i = f->params + 1; i < close && !f->is_template; i++) {
        if (is_punct(s, i, '&') && is_punct(s, i + 1, '&') && stream_joined(s, i))
            unit_refuse(x, f->file, s->t[i].pos,
                        "the kernel '%s' has a parameter of rvalue reference type, which a __global__ "
                        "function cannot have: take it by value",
                        x->names.at[f->id].text);
        if (s->t[i].mate > i)
            i = s->t[i].mate;
    }
}

static void check_kernel(xlate *x, const function *f)
{
    const stream *s = &x->files.at[f->file].live;
    unsigned pos = s->t[f->name].pos;
    if (f->is_member && !f->is_friend) {
        unit_refuse(x, f->file, pos,
                    "the kernel '%s' is a member of a class: a __global__ function must stand outside",
                    x->names.at[f->id].text);
        return;
    }
    int known = 1, is_void = 0, typed = 0;
    for (int i = f->first; i < f->name; i++) {
        int id = s->t[i].kind == T_NAME ? s->t[i].id : -1;
        if (id == ID_TEMPLATE && is_punct(s, i + 1, '<')) {
            int close = angle_close(s, i + 1);
            i = close > 0 ? close : i;
        } else if (id >= ID_VOID && id <= ID_WCHAR && id != ID_AUTO) {
            is_void |= id == ID_VOID;
            typed |= id != ID_VOID;
        } else if (is_punct(s, i, '*')) {
            typed |= is_void;
        } else if (id == ID_AUTO) {
            typed |= !is_punct(s, s->t[f->params].mate + 1, '-');
            known &= typed;
        } else if (id >= ID_COUNT) {
            known &= scan_qualifier(x, &s->t[i]) != 0; /* a type of the program's, or a macro */
        } else if (s->t[i].mate > i) {
            i = s->t[i].mate;
        }
    }
    if (typed && known)
        unit_refuse(x, f->file, pos,
                    "the kernel '%s' returns a value: a __global__ function must return void, results go "
                    "through memory",
                    x->names.at[f->id].text);
    else if (!known && f->body >= 0 && scan_is_plain(x, f))
        file_edit(x, f->file, s->t[f->body].pos + 1, 0,
                  unit_text(x, " SIM_VOID(%s);", scan_label(x, f->scope, f->id)));
    check_parameters(x, f);
}

void rules_file(xlate *x, int at)
{
    const stream *live = &x->files.at[at].live;
    for (int i = 0; i < live->n; i++)
        if ((live->t[i].kind == T_STRING || live->t[i].kind == T_CHAR) && live->t[i].c)
            unit_refuse(x, at, live->t[i].pos, "this text has no closing %c on its line", live->t[i].c);
    for (int k = 0; k < x->functions.n; k++) {
        const function *f = &x->functions.at[k];
        if (f->file != at)
            continue;
        if (f->qualifiers & Q_GLOBAL)
            check_kernel(x, f);
        if (f->body < 0 || f->is_macro || (f->is_template && !rules_is_used(x, f)))
            continue;
        unsigned q = f->qualifiers;
        int on_device = (q & (Q_DEVICE | Q_GLOBAL)) != 0, on_host = !on_device || (q & Q_HOST);
        if (on_device && on_host && f->is_template)
            continue;
        caller c = {x, f, live, f->body, live->t[f->body].mate, on_device, on_host};
        check_body(&c);
    }
}
