/* SPDX-License-Identifier: MIT */
/* The command line: nvcc's flags, the compiler's, and our own. */
#define _GNU_SOURCE /* vasprintf */
#include "simcc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char HELP[] =
    "usage: simcc [flags] file.cu... [-o output]\n"
    "\n"
    "Compiles CUDA sources for the simulated device, as nvcc does for a GPU. Other sources\n"
    "(.c .cpp .cc .cxx) and objects (.o .a .so) may stand beside them.\n"
    "\n"
    "  -o FILE            name of the output\n"
    "  -c  -S  -E         stop after compiling, after making assembly, after preprocessing\n"
    "  --translate        print the C++ that a .cu becomes; compile nothing\n"
    "  --check            watch every access: see docs/checked.md\n"
    "                     (what it does not see where clang++ compiles: docs/sim.md)\n"
    "  --asan             add the address and undefined-behaviour sanitizers\n"
    "  -I -D -U -L -l -O -g -std= -W -shared -fPIC -MMD -MP -MF   as for the compiler\n"
    "  -x cu|c++|c|none   language of the files that follow\n"
    "  -ccbin CXX         the C++ compiler (or SIMCC_CXX; else g++, else clang++)\n"
    "  -Xcompiler A,B  -Xlinker A     flags for the compiler, for the linker\n"
    "  --extended-lambda  allow __device__ lambdas\n"
    "  -v                 print the commands that run\n"
    "  --help  --version\n"
    "\n"
    "nvcc's flags for a GPU (-arch, -gencode, -rdc, -lineinfo, -G, -use_fast_math, -Xptxas ...) are\n"
    "accepted and mean nothing here. Every other flag goes to the compiler.\n"
    "\n"
    "What a compiled program listens to:\n"
    "  SIM_MEMORY=SIZE    memory of the simulated device: 256M (default), 2G, ...\n"
    "  SIM_ORDER=ORDER    order of the threads of a block: forward (default), reverse, random\n"
    "  SIM_SEED=N         seed of the random order\n"
    "  SIM_CONCURRENT_MANAGED=0|1     may the host touch managed memory while a kernel runs (default 1)\n"
    "  SIM_FINDINGS=FILE.json         what was found, for programs\n"
    "  SIM_ON_FINDING=stop|continue|ignore   end with status 1 at the first finding, at the end, not at all\n"
    "  SIM_FAIL_ALLOC=K  SIM_FAIL_SYNC=K  SIM_FAIL_RATE=P   let the K-th allocation, the K-th wait, a\n"
    "                                 share P of all allocations fail\n"
    "  SIM_REPORT=FILE.html           at exit, write a page that shows the run\n"
    "  SIM_PROFILE=1|FILE.json|.svg   at exit, say what kernels asked of memory (with --check)\n";

command_line o;

void add(list *l, const char *text)
{
    if (l->n + 1 >= l->room) {
        l->room = l->room ? l->room * 2 : 64;
        l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
        if (!l->at)
            die(1, "out of memory");
    }
    l->at[l->n++] = text;
    l->at[l->n] = NULL;
}

char *text(const char *format, ...)
{
    static list texts; /* keeps them reachable */
    va_list args;
    char *result = NULL;
    va_start(args, format);
    if (vasprintf(&result, format, args) < 0)
        die(1, "out of memory");
    va_end(args);
    add(&texts, result);
    return result;
}

static enum kind kind_of(const char *path)
{
    static const struct {
        const char *extension;
        enum kind kind;
    } kinds[] = {{".cu", K_CU},  {".cpp", K_CXX}, {".cc", K_CXX}, {".cxx", K_CXX},
                 {".C", K_CXX},  {".c++", K_CXX}, {".c", K_C},    {".o", K_LINK},
                 {".a", K_LINK}, {".so", K_LINK}, {".s", K_ASM},  {".S", K_ASM}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(dot, kinds[i].extension))
            return kinds[i].kind;
    return strstr(slash ? slash : path, ".so.") ? K_LINK : K_NONE;
}

static void add_input(const char *path)
{
    struct stat st;
    if (o.input_count == 1024)
        die(1, "too many files");
    enum kind kind = o.force_kind ? (enum kind)o.force_kind : kind_of(path);
    if (stat(path, &st) || access(path, R_OK))
        die(1, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        die(1, "%s: is a directory", path);
    if (kind == K_NONE)
        die(1, "%s: unknown kind of file; known are .cu .cpp .cc .cxx .c .o .a .so, or say -x cu before it",
            path);
    o.inputs[o.input_count++] = (input){path, kind};
    if (kind == K_LINK)
        add(&o.link, path);
}

static void add_macro(const char *spelled, int defined)
{
    const char *equals = strchr(spelled, '=');
    size_t n = equals ? (size_t)(equals - spelled) : strlen(spelled);
    if (o.macro_count == 512)
        die(1, "too many -D");
    o.macros[o.macro_count].name = text("%.*s", (int)n, spelled);
    o.macros[o.macro_count++].value = !defined ? NULL : equals ? equals + 1 : "1";
}

/* A toolkit's include folder would put its headers in the place of ours. */
static int has_cuda_headers(const char *folder)
{
    return access(text("%s/cuda_runtime.h", folder), R_OK) == 0;
}

static void add_folder(const char *path, int quoted_only)
{
    if (o.folders.count == 256)
        die(1, "too many -I");
    o.folders.quoted_only[o.folders.count] = quoted_only;
    o.folders.at[o.folders.count++] = path;
}

/* -Xcompiler "-a,-b": commas and blanks separate. */
static void add_split(list *l, const char *flags, const char *prefix)
{
    char *copy = text("%s", flags), *rest = NULL;
    for (char *p = strtok_r(copy, ", ", &rest); p; p = strtok_r(NULL, ", ", &rest))
        add(l, text("%s%s", prefix, p));
}

enum action {
    A_DROP,
    A_DROP_VALUE,
    A_REFUSE,
    A_RUN,
    A_OUT,
    A_COMPILE,
    A_ASSEMBLY,
    A_PREPROCESS,
    A_TRANSLATE,
    A_ASAN,
    A_CHECK,
    A_LAMBDA,
    A_HELP,
    A_VERSION,
    A_VERBOSE,
    A_CCBIN,
    A_XCOMPILER,
    A_XLINKER,
    A_LANGUAGE,
    A_STANDARD,
    A_INCLUDE,
    A_QUOTE,
    A_DEFINE,
    A_UNDEFINE,
    A_LIBRARY,
    A_LIBRARY_PATH,
    A_PASS,
    A_PASS_VALUE,
    A_STREAM,
    A_DEPENDENCIES,
    A_DEPENDENCY_FILE,
    A_PHONY,
    A_WERROR,
    A_NO_WARNINGS
};

/* Names without their dashes; a value may follow as the next word or after '='. */
static const struct {
    const char *name;
    enum action action;
} options[] = {
    /* clang-format off */
    {"o", A_OUT}, {"output-file", A_OUT}, {"c", A_COMPILE}, {"compile", A_COMPILE}, {"dc", A_COMPILE},
    {"S", A_ASSEMBLY}, {"E", A_PREPROCESS}, {"preprocess", A_PREPROCESS}, {"translate", A_TRANSLATE},
    {"asan", A_ASAN}, {"check", A_CHECK}, {"help", A_HELP}, {"h", A_HELP}, {"version", A_VERSION},
    {"V", A_VERSION}, {"v", A_VERBOSE}, {"verbose", A_VERBOSE}, {"ccbin", A_CCBIN},
    {"compiler-bindir", A_CCBIN}, {"Xcompiler", A_XCOMPILER}, {"compiler-options", A_XCOMPILER},
    {"Xlinker", A_XLINKER}, {"linker-options", A_XLINKER}, {"x", A_LANGUAGE}, {"std", A_STANDARD},
    {"I", A_INCLUDE}, {"include-path", A_INCLUDE}, {"iquote", A_QUOTE}, {"D", A_DEFINE},
    {"define-macro", A_DEFINE}, {"U", A_UNDEFINE}, {"undefine-macro", A_UNDEFINE}, {"l", A_LIBRARY},
    {"library", A_LIBRARY}, {"L", A_LIBRARY_PATH}, {"library-path", A_LIBRARY_PATH},
    {"isystem", A_PASS_VALUE}, {"include", A_PASS_VALUE}, {"idirafter", A_PASS_VALUE}, {"MT", A_PASS_VALUE},
    {"MQ", A_PASS_VALUE}, {"MF", A_DEPENDENCY_FILE}, {"MMD", A_DEPENDENCIES}, {"MD", A_DEPENDENCIES},
    {"MP", A_PHONY}, {"M", A_REFUSE}, {"MM", A_REFUSE},
    {"extended-lambda", A_LAMBDA}, {"expt-extended-lambda", A_LAMBDA}, {"expt-relaxed-constexpr", A_DROP},
    {"arch", A_DROP_VALUE}, {"gpu-architecture", A_DROP_VALUE}, {"gencode", A_DROP_VALUE},
    {"generate-code", A_DROP_VALUE}, {"code", A_DROP_VALUE}, {"gpu-code", A_DROP_VALUE},
    {"rdc", A_DROP_VALUE}, {"relocatable-device-code", A_DROP_VALUE}, {"lineinfo", A_DROP},
    {"generate-line-info", A_DROP}, {"G", A_DROP}, {"device-debug", A_DROP}, {"use_fast_math", A_DROP},
    {"ftz", A_DROP_VALUE}, {"prec-div", A_DROP_VALUE}, {"prec-sqrt", A_DROP_VALUE}, {"fmad", A_DROP_VALUE},
    {"Xptxas", A_DROP_VALUE}, {"ptxas-options", A_DROP_VALUE}, {"Xnvlink", A_DROP_VALUE},
    {"maxrregcount", A_DROP_VALUE}, {"cudart", A_DROP_VALUE}, {"restrict", A_DROP}, {"dlto", A_DROP},
    {"t", A_DROP_VALUE}, {"threads", A_DROP_VALUE}, {"diag-suppress", A_DROP_VALUE},
    {"Wno-deprecated-gpu-targets", A_DROP}, {"default-stream", A_STREAM}, {"m64", A_DROP},
    {"Werror", A_WERROR}, {"w", A_NO_WARNINGS}, {"disable-warnings", A_NO_WARNINGS}, {"shared", A_PASS},
    {"debug", A_PASS}, {"coverage", A_PASS}, {"ptx", A_REFUSE},
    {"cubin", A_REFUSE}, {"fatbin", A_REFUSE}, {"dlink", A_REFUSE}, {"lib", A_REFUSE},
    {"device-link", A_REFUSE}, {"run", A_RUN}, {"cuda", A_REFUSE}, {"keep", A_REFUSE},
    {"dryrun", A_REFUSE},
    /* clang-format on */
};

static int wants_value(enum action a)
{
    return a == A_DROP_VALUE || a == A_OUT || (a >= A_CCBIN && a <= A_LIBRARY_PATH) || a == A_PASS_VALUE ||
           a == A_STREAM || a == A_DEPENDENCY_FILE;
}

static void set_mode(enum mode mode)
{
    o.mode = mode;
}

static void set_language(const char *name)
{
    static const struct {
        const char *name;
        enum kind kind;
    } languages[] = {{"cu", K_CU}, {"c++", K_CXX}, {"c", K_C}, {"none", K_NONE}};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(name, languages[i].name)) {
            o.force_kind = (int)languages[i].kind;
            return;
        }
    die(1, "-x %s: unknown language; known are cu, c++, c, none", name);
}

static void add_library(const char *name)
{
    static const char *const ours[] = {"cudart",  "cudart_static", "cuda",     "cudadevrt",
                                       "culibos", "nvToolsExt",    "nvidia-ml"};
    static const char *const missing[] = {"cublas",   "cublasLt", "cudnn", "cufft", "curand", "cusparse",
                                          "cusolver", "nccl",     "nvrtc", "npp",   "cupti",  "cufile"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strcmp(name, ours[i]))
            return;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (!strcmp(name, missing[i]))
            die(1, "-l%s: the simulated device does not have this library; it works with nvcc on a GPU",
                name);
    add(&o.link, text("-l%s", name));
}

static void act(enum action a, const char *spelled, const char *value)
{
    switch (a) {
    case A_DROP:
    case A_DROP_VALUE:
        break;
    case A_REFUSE:
        die(1, "%s: %s", spelled,
            spelled[1] == 'M' ? "not there; use -MMD -MF FILE beside -c"
                              : "the simulated device has no GPU code");
    case A_RUN:
        die(1, "%s: simcc does not run programs; build with -o FILE, then start FILE", spelled);
    case A_OUT:
        o.out = value;
        break;
    case A_COMPILE:
        set_mode(M_COMPILE);
        break;
    case A_ASSEMBLY:
        set_mode(M_ASSEMBLY);
        break;
    case A_PREPROCESS:
        set_mode(M_PREPROCESS);
        break;
    case A_TRANSLATE:
        set_mode(M_TRANSLATE);
        break;
    case A_ASAN:
        o.asan = 1;
        break;
    case A_CHECK:
        o.check = 1;
        break;
    case A_LAMBDA:
        o.xlate_flags |= XLATE_DEVICE_LAMBDAS;
        break;
    case A_HELP:
        fputs(HELP, stdout);
        exit(0);
    case A_VERSION:
        puts("simcc 1.0: CUDA 13.0 sources for the simulated device");
        exit(0);
    case A_VERBOSE:
        o.verbose = 1;
        break;
    case A_CCBIN:
        o.compiler = value;
        break;
    case A_XCOMPILER:
        add_split(&o.flags, value, "");
        break;
    case A_XLINKER:
        add_split(&o.link, value, "-Wl,");
        break;
    case A_LANGUAGE:
        set_language(value);
        break;
    case A_STANDARD:
        o.standard = value;
        break;
    case A_INCLUDE:
        if (has_cuda_headers(value))
            break;
        add_folder(value, 0);
        add(&o.flags, text("-I%s", value));
        break;
    case A_QUOTE:
        add_folder(value, 1);
        add(&o.flags, "-iquote");
        add(&o.flags, value);
        break;
    case A_DEFINE:
        add_macro(value, 1);
        add(&o.flags, text("-D%s", value));
        break;
    case A_UNDEFINE:
        add_macro(value, 0);
        add(&o.flags, text("-U%s", value));
        break;
    case A_LIBRARY:
        add_library(value);
        break;
    case A_LIBRARY_PATH:
        add(&o.link, text("-L%s", value));
        break;
    case A_PASS:
        add(&o.flags, !strcmp(spelled, "--debug")    ? "-g"
                      : !strcmp(spelled, "--shared") ? "-shared"
                                                     : spelled);
        break;
    case A_PASS_VALUE:
        add(&o.flags, spelled);
        add(&o.flags, value);
        break;
    case A_STREAM:
        if (!strcmp(value, "per-thread"))
            add(&o.flags, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
    case A_DEPENDENCIES:
        o.dependencies = 1;
        add(&o.flags, spelled);
        break;
    case A_PHONY:
        o.phony_rules = 1;
        add(&o.flags, spelled);
        break;
    case A_DEPENDENCY_FILE:
        o.dependency_file = value;
        break;
    case A_NO_WARNINGS:
        o.no_warnings = 1;
        add(&o.flags, "-w");
        break;
    case A_WERROR:
        add(&o.flags, "-Werror");
        break;
    }
}

/* -Idir, -DX, -lm, -Ldir, -ofile, -O: a letter with its value in the same word. */
static int act_joined(const char *arg)
{
    static const struct {
        char letter;
        enum action action;
    } joined[] = {{'I', A_INCLUDE},      {'D', A_DEFINE}, {'U', A_UNDEFINE}, {'l', A_LIBRARY},
                  {'L', A_LIBRARY_PATH}, {'o', A_OUT},    {'x', A_LANGUAGE}};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        if (arg[1] == joined[i].letter && arg[2]) {
            act(joined[i].action, arg, arg + 2);
            return 1;
        }
    return 0;
}

void parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] != '-' || !arg[1]) {
            add_input(arg);
            continue;
        }
        const char *name = arg + 1 + (arg[1] == '-');
        size_t n = strcspn(name, "=");
        size_t k = 0, count = sizeof options / sizeof *options;
        while (k < count && (strlen(options[k].name) != n || strncmp(options[k].name, name, n) ||
                             (name[n] && !wants_value(options[k].action) && options[k].action != A_WERROR)))
            k++;
        if (k < count) {
            const char *value = name[n] ? name + n + 1 : NULL;
            if (!value && wants_value(options[k].action)) {
                if (i + 1 == argc)
                    die(1, "%s needs a value", arg);
                value = argv[++i];
            }
            act(options[k].action, arg, value);
        } else if (arg[1] == '-') {
            die(1, "unknown flag %s (simcc --help lists them)", arg);
        } else if (!act_joined(arg)) {
            add(strncmp(arg, "-Wl,", 4) ? &o.flags : &o.link, arg);
        }
    }
}
