/* SPDX-License-Identifier: MIT */
/* What the files of the translator share: tokens, files, and tables of what the unit declares.
 *
 *   read:    xlate_lex.c tokens  ->  xlate_pp.c, xlate_arch.c conditionals, macros, includes  ->  live tokens
 *   look:    xlate_scan.c functions, symbols        (all files, before any is rewritten)
 *   rewrite: xlate_launch.c, xlate_shared.c, xlate_local.c, xlate_text.c (edits)
 *   refuse:  xlate_rules.c, xlate_names.c (findings)
 *   write:   xlate.c applies the edits
 *
 * All memory of a unit lives in its arena and is freed at once. */
#ifndef XLATE_UNIT_H
#define XLATE_UNIT_H

#include "xlate.h"

#define VECTOR(type)                                                                                         \
    struct {                                                                                                 \
        type *at;                                                                                            \
        int n, room;                                                                                         \
    }
/* Adds one zeroed element and is a pointer to it. */
#define PUSH(x, v) ((v).at = unit_more((x), (v).at, (v).n, &(v).room, sizeof *(v).at), &(v).at[(v).n++])

enum token_kind { T_NAME, T_NUMBER, T_STRING, T_CHAR, T_PUNCT };

typedef struct token {
    unsigned pos, bytes;
    int line;
    int id;                              /* T_NAME: index into unit.names */
    int mate;                            /* bracket: index of its partner in the same stream, else -1 */
    int macros;                          /* how many were defined before it; INT_MAX in a macro's body */
    unsigned char kind, directive, dead; /* dead: in a branch that the preprocessor skips */
    char c;                              /* T_PUNCT: the character */
} token;

typedef struct stream {
    token *t;
    int n;
    int file;
} stream;

typedef struct edit {
    unsigned pos, drop;
    int order;
    const char *text;
} edit;

typedef struct include {
    unsigned pos, bytes; /* the operand, with its quotes */
    int quoted, target;
} include;

typedef struct file {
    const char *path, *text, *place;
    unsigned bytes, start; /* start: after a byte order mark */
    int changed;
    VECTOR(token) tokens;
    VECTOR(int) directives; /* token index of each '#' */
    VECTOR(include) includes;
    VECTOR(edit) edits;
    stream live;
} file;

/* Qualifiers, in functions and in macros that stand for them. */
enum { Q_GLOBAL = 1, Q_DEVICE = 2, Q_HOST = 4, Q_SHARED = 8, Q_CONSTANT = 16, Q_MANAGED = 32 };

enum { LOOKS_OPEN = 1, LOOKS_CLOSE = 2 };

typedef struct macro {
    int id, file, line;
    int like_function, known; /* known: 1 defined for certain, 0 perhaps */
    int params, param[16];
    stream body;
    const char *value;   /* from the command line */
    unsigned qualifiers; /* an object-like body that holds CUDA qualifiers */
    int bracket;         /* the body is nothing but <<< or >>> */
    int callee;          /* number of the parameter that the body launches, or -1 */
    int launches;        /* the body has a launch */
    int hot;             /* stringizes an argument that holds a launch */
    int number;          /* if the body declares shared memory */
    int next;            /* older definition of the same name, or -1 */
} macro;

typedef struct function {
    int id, file, line;
    const char *scope; /* "a::b::" */
    unsigned qualifiers;
    int name;                /* token that names it */
    int first, params, body; /* tokens: first of the declaration, '(' and '{' (-1: no body) */
    int bounds;              /* '(' of __launch_bounds__, or -1 */
    int template_open;       /* '<' of its last template <...> */
    int is_template, template_params, template_pack, is_member, is_friend, is_constexpr, is_macro, defaults;
    int of; /* name of the class it is a member of, or that stands before its name; -1: none */
    int is_defined_outside; /* a member, but not in its class */
    int number;             /* for $sh and SIM_KERNEL; 0: none yet */
    int next;               /* older function of the same name, or -1 */
} function;

typedef struct shared {
    int id, file, number;
    unsigned pos;
} shared;

/* A variable at namespace scope, and a class. */
typedef struct global_variable {
    int id, file, name; /* name: its token */
    const char *scope;
    int is_device, is_array, is_const, is_constexpr;
} global_variable;

typedef struct class_of {
    int id, is_template;
} class_of;

/* A static shared variable of a function: name and ';' of its declaration. */
typedef struct local_shared {
    int id, function, name, end, is_read;
} local_shared;

/* An `extern __shared__ T x[]`; owner: index of the function around it, or -1 */
typedef struct dynamic {
    int id, file, owner;
    unsigned pos;
} dynamic;

typedef struct name {
    const char *text;
    unsigned bytes, hash;
    int next, macro, function, shared; /* newest entry of each table, or -1 */
} name;

struct xlate {
    xlate_load *load;
    void *user;
    unsigned flags;
    struct chunk *chunks;
    size_t chunk_used;
    VECTOR(name) names;
    int buckets[1024];
    VECTOR(file) files;
    VECTOR(macro) macros;
    VECTOR(function) functions;
    VECTOR(shared) globals;
    VECTOR(dynamic) dynamics;
    VECTOR(local_shared) locals;
    VECTOR(global_variable) variables;
    VECTOR(class_of) classes;
    VECTOR(xlate_finding) findings;
    VECTOR(char *) owned;
    int numbers;
    int uses_quote, uses_aligned;
};

/* Names the translator knows; their ids are these values. */
/* clang-format off */
#define KNOWN_NAMES(X) \
    X(GLOBAL, "__global__") X(DEVICE, "__device__") X(HOST, "__host__") X(SHARED, "__shared__") \
    X(CONSTANT, "__constant__") X(MANAGED, "__managed__") X(BOUNDS, "__launch_bounds__") \
    X(GRID, "__grid_constant__") X(NOINLINE, "__noinline__") X(FORCEINLINE, "__forceinline__") \
    X(ALIGN, "__align__") X(ALIGNAS, "alignas") X(ATTRIBUTE, "__attribute__") X(ATTRIBUTE2, "__attribute") \
    X(DECLSPEC, "__declspec") X(CLUSTER, "__cluster_dims__") X(BLOCKSIZE, "__block_size__") \
    X(MAXNREG, "__maxnreg__") X(DECLTYPE, "decltype") X(TYPEOF, "__typeof__") X(NOEXCEPT, "noexcept") \
    X(THROW, "throw") X(EXPLICIT, "explicit") X(REQUIRES, "requires") X(STATIC_ASSERT, "static_assert") \
    X(SIZEOF, "sizeof") X(ALIGNOF, "alignof") X(CONST, "const") X(VOLATILE, "volatile") \
    X(STATIC, "static") X(EXTERN, "extern") X(INLINE, "inline") X(CONSTEXPR, "constexpr") \
    X(REGISTER, "register") X(MUTABLE, "mutable") X(THREAD_LOCAL, "thread_local") X(TYPENAME, "typename") \
    X(RESTRICT, "__restrict__") X(RESTRICT2, "__restrict") X(VIRTUAL, "virtual") X(INLINE2, "__inline__") \
    X(INLINE3, "__inline") X(CONSTINIT, "constinit") X(VOID, "void") X(BOOL, "bool") X(CHAR, "char") \
    X(SHORT, "short") X(INT, "int") X(LONG, "long") X(FLOAT, "float") X(DOUBLE, "double") \
    X(SIGNED, "signed") X(UNSIGNED, "unsigned") X(AUTO, "auto") X(WCHAR, "wchar_t") X(STRUCT, "struct") \
    X(CLASS, "class") X(UNION, "union") X(ENUM, "enum") X(NAMESPACE, "namespace") X(TEMPLATE, "template") \
    X(USING, "using") X(TYPEDEF, "typedef") X(FRIEND, "friend") X(OPERATOR, "operator") \
    X(PUBLIC, "public") X(PRIVATE, "private") X(PROTECTED, "protected") X(CONCEPT, "concept") \
    X(RETURN, "return") X(ELSE, "else") X(DO, "do") X(CASE, "case") X(GOTO, "goto") X(NEW, "new") \
    X(DELETE, "delete") X(CO_RETURN, "co_return") X(CO_YIELD, "co_yield") X(CO_AWAIT, "co_await") \
    X(IF, "if") X(FOR, "for") X(WHILE, "while") X(SWITCH, "switch") X(AND, "and") X(OR, "or") \
    X(NOT, "not") X(THIS, "this") X(DYNAMIC_CAST, "dynamic_cast") X(TYPEID, "typeid") \
    X(TRY, "try") X(CATCH, "catch") X(DEFINE, "define") X(UNDEF, "undef") X(INCLUDE, "include") \
    X(IFDEF, "ifdef") X(IFNDEF, "ifndef") X(ELIF, "elif") X(ENDIF, "endif") X(DEFINED, "defined") \
    X(VA_ARGS, "__VA_ARGS__") X(ASM, "asm") X(ASM2, "__asm__") X(ASM3, "__asm") X(THREADIDX, "threadIdx") \
    X(BLOCKIDX, "blockIdx") X(BLOCKDIM, "blockDim") X(GRIDDIM, "gridDim") X(STD, "std") \
    X(ARCH, "__CUDA_ARCH__")
/* clang-format on */
#define KNOWN_ENUM(id, text) ID_##id,
enum { KNOWN_NAMES(KNOWN_ENUM) ID_COUNT };

/* xlate.c */
void *unit_alloc(xlate *x, size_t bytes);
char *unit_text(xlate *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *unit_more(xlate *x, void *at, int n, int *room, size_t size);
int unit_name(xlate *x, const char *text, size_t bytes);
int unit_add(xlate *x, const char *path, const char *text, size_t bytes);
void unit_refuse(xlate *x, int file, unsigned pos, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void unit_warn(xlate *x, int file, unsigned pos, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void file_edit(xlate *x, int file, unsigned pos, unsigned drop, const char *text);
const char *stream_text(xlate *x, const stream *s, int first, int last);

/* xlate_lex.c */
void lex_file(xlate *x, int file);
void stream_mates(stream *s);
int stream_joined(const stream *s, int i);
int is_punct(const stream *s, int i, char c);
int is_name(const stream *s, int i, int id);
int angle_close(const stream *s, int i);
int angle_open(const stream *s, int i);

/* xlate_pp.c */
void pp_file(xlate *x, int file);
macro *pp_macro(xlate *x, const token *t);
int pp_text_is(const xlate *x, int id, const char *text);

/* xlate_arch.c */
int arch_in_device_code(xlate *x, const stream *all, int i);
int arch_branches_are_device_code(xlate *x, const stream *all, int first);
void arch_write(xlate *x, const stream *s, int i, int is_defined);

/* xlate_scan.c */
typedef struct declarator {
    int name, end, init; /* tokens: the name, one past the declarator, its initialiser or -1 */
} declarator;
void scan_file(xlate *x, int file);
unsigned scan_qualifier(xlate *x, const token *t);
int scan_declarators(xlate *x, const stream *s, int first, int end, declarator *out, int room);
function *scan_owner(xlate *x, int file, int i);
int scan_number(xlate *x, int *number);
const char *scan_signature(xlate *x, const function *f);
const char *scan_label(xlate *x, const char *scope, int id);
int scan_is_plain(xlate *x, const function *f);

/* xlate_rules.c: of the tokens around token i */
int rules_is_statement_word(int id);
int rules_ends_declarator(const stream *s, int open);
int rules_is_member_access(const stream *s, int i);
int rules_is_used(xlate *x, const function *f);
int rules_around(const stream *s, int i);
int rules_is_unevaluated(const stream *s, int i);

/* xlate_names.c */
void names_variables(xlate *x, const stream *s, int first, int end, unsigned qualifiers, const char *scope);
void names_members(xlate *x);
void names_file(xlate *x, int file);

/* xlate_launch.c, xlate_shared.c, xlate_local.c, xlate_text.c, xlate_rules.c */
void launch_macros(xlate *x);
void launch_file(xlate *x, int file);
void shared_stream(xlate *x, stream *s, macro *m);
void shared_uses(xlate *x, int file);
void shared_aliases(xlate *x);
void shared_register(xlate *x);
void local_arrays(xlate *x, int file);
void text_macros(xlate *x);
void text_noinline(xlate *x, const stream *s);
void text_arrays(xlate *x, int file);
void rules_file(xlate *x, int file);
void rules_include(xlate *x, int file, unsigned pos, const char *name);

#endif
