/* SPDX-License-Identifier: MIT */
/*
 * Signals and failed assertions: a touch of the wrong memory becomes a report that names it.
 *
 *   in a kernel, device memory closed     open it and go on (launches open it only if an argument needs it)
 *   in a kernel, anything else            report, end the launch: the sticky error cudaErrorIllegalAddress
 *   in host code, device memory           report, then die of the signal as any stray pointer would
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "check.h"

static struct sigaction old_segv, old_bus, old_fpe;
static __thread bool is_device_thread;
static pthread_t device_thread;
static volatile sig_atomic_t kernel_runs; /* on device_thread */
static char *rescue_stack;
enum { RESCUE = 64 << 10 };

void sim_fault_device_thread(bool yes)
{
    is_device_thread = yes;
    if (yes)
        device_thread = pthread_self();
    kernel_runs = yes;
}

bool sim_in_kernel(void)
{
    return is_device_thread && sim_running();
}

static void *program_counter(const ucontext_t *u)
{
#if defined(__x86_64__)
    return (void *)u->uc_mcontext.gregs[REG_RIP];
#else
    return (void *)u->uc_mcontext.pc;
#endif
}

static bool was_write(const ucontext_t *u)
{
#if defined(__x86_64__)
    return u->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)u;
    return false;
#endif
}

/* The learner's line: where the fault is, or the first caller in the learner's code when it is in a library.
 */
static const char *faulting_line(const ucontext_t *u)
{
    char *at = program_counter(u);
    if (sim_is_learner_code(at + 1))
        return sim_where(at + 1);
    void *frames[64];
    int n = backtrace(frames, 64);
    for (int i = 0; i < n; i++)
        if (sim_is_learner_code(frames[i]))
            return sim_where(frames[i]);
    return sim_where(at + 1);
}

bool sim_fault_interrupted(int signal, const void *context)
{
    if (kernel_runs && !is_device_thread)
        return pthread_kill(device_thread, signal) == 0;
    if (!kernel_runs || !sim_running())
        return false;
    struct sim_report r =
        sim_note("interrupted", "KERNEL %s is interrupted: %s", sim_running()->name, strsignal(signal));
    sim_report_line(r, "at", "%s", faulting_line(context));
    check_say_thread(r, blockIdx, threadIdx);
    sim_report_line(r, "why",
                    "if it would never have ended: threads run one at a time, so a loop that polls what a "
                    "thread or block after this one sets waits for ever (SIM_ORDER gives other orders)");
    sim_report_end(r);
    return false;
}

static cudaError_t launch_error;

static void end_launch(void)
{
    sim_grid_abort(launch_error);
}

/* Go on in end_launch() on a stack that is surely whole, once the handler has returned. */
static void leave_to_end_launch(ucontext_t *u)
{
    uintptr_t top = (uintptr_t)(rescue_stack + RESCUE - 64) & ~(uintptr_t)63;
#if defined(__x86_64__)
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)(top - 8);
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)end_launch;
#else
    u->uc_mcontext.sp = top;
    u->uc_mcontext.pc = (uintptr_t)end_launch;
#endif
}

#if defined(__x86_64__)
/* What a vector instruction takes for an address, but for the constant in it, which is small. */
static int64_t vector_operand(const unsigned char *at, const greg_t *registers)
{
    static const int number[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                 REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    int index_8 = 0, base_8 = 0; /* 8 when it is one of the upper eight registers */
    while (memchr("\x66\xf2\xf3\x2e\x36\x3e\x26\x64\x65", *at, 9))
        at++;
    if (*at == 0xc5) { /* VEX */
        at += 2;
    } else if (*at == 0xc4 || *at == 0x62) { /* VEX, EVEX: the bits are inverted */
        index_8 = at[1] & 0x40 ? 0 : 8;
        base_8 = at[1] & 0x20 ? 0 : 8;
        at += *at == 0xc4 ? 3 : 4;
    } else {
        if ((*at & 0xf0) == 0x40) { /* REX */
            index_8 = *at & 2 ? 8 : 0;
            base_8 = *at & 1 ? 8 : 0;
            at++;
        }
        if (*at != 0x0f)
            return INT64_MIN; /* not a vector's: only an address that is none stops it so */
        at += at[1] == 0x38 || at[1] == 0x3a ? 2 : 1;
    }
    int mode = at[1] >> 6, base = at[1] & 7;
    int64_t address = 0;
    if (base == 4) { /* a byte more: scale, index, base */
        int index = (at[2] >> 3 & 7) + index_8;
        base = at[2] & 7;
        if (index != 4)
            address = (int64_t)((uint64_t)registers[number[index]] << (at[2] >> 6));
    }
    return mode == 0 && base == 5 ? address : address + registers[number[base + base_8]];
}
#endif

/*
 * The processor reports no address when a 16-byte access is not aligned, nor when an address is none at all
 * (its upper bits are wrong).
 */
static bool was_misaligned(const ucontext_t *u, const siginfo_t *info)
{
#if defined(__x86_64__)
    if (info->si_code != SI_KERNEL)
        return false;
    int64_t upper = vector_operand((unsigned char *)program_counter(u), u->uc_mcontext.gregs) >> 47;
    return upper == 0 || upper == -1;
#else
    (void)u;
    return info->si_signo == SIGBUS && info->si_code == BUS_ADRALN;
#endif
}

static void misaligned(const ucontext_t *u)
{
    const struct sim_grid *g = sim_running();
    char text[80];
    struct sim_report r = sim_report("misaligned", "KERNEL %s made a misaligned access", g->name);
    sim_report_line(r, "at", "%s", faulting_line(u));
    sim_report_line(r, "thread", "%s, launched at %s", sim_thread_name(text), sim_where_call(&sim_call));
    sim_report_line(
        r, "why",
        "a float4 or double2 must lie at a multiple of 16 bytes, any type at a multiple of its size");
    sim_report_end(r);
}

static void kernel_fault(const ucontext_t *u, const char *p)
{
    const struct sim_grid *g = sim_running();
    char text[80];
    bool overflow = sim_fiber_guard(p);
    const struct sim_block *b = sim_find(p);
    struct sim_report r = sim_report("kernel fault", "KERNEL %s %s %p", g->name,
                                     overflow       ? "overflowed its stack at"
                                     : was_write(u) ? "wrote to"
                                                    : "read from",
                                     (void *)p);
    sim_report_line(r, "at", "%s", faulting_line(u));
    sim_report_line(r, "thread", "%s, launched at %s", sim_thread_name(text), sim_where_call(&sim_call));
    if ((uintptr_t)p < 4096)
        sim_report_line(r, "is", "a null pointer, or an index from one%s%s", sim_zero_size_call(),
                        sim_heap_refused_call());
    else if (!overflow)
        sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(r, "why", "%s",
                    overflow
                        ? "a simulated thread has 256 KiB of stack; deep recursion or a large local array?"
                    : b && b->live && b->kind == SIM_MAPPED
                        ? "cuMemSetAccess has not given that right; from now on every call answers "
                          "cudaErrorIllegalAddress"
                        : "an address the device has no memory at; from now on every call answers "
                          "cudaErrorIllegalAddress");
    sim_report_end(r);
}

static void report_host_access(const void *p, const char *verb, const char *where)
{
    struct sim_report r = sim_report("host access", "HOST code %s device memory %p directly", verb, p);
    sim_report_line(r, "at", "%s", where);
    sim_report_line(r, "is", "%s", sim_what(p));
    sim_report_line(
        r, "why",
        "what cudaMalloc returns is an address of the device: host code may pass it on and compute with "
        "it, but to use what is there it must copy with cudaMemcpy");
    sim_report_end(r);
}

static void die(int signal)
{
    fflush(stdout);
    sim_findings_died();
    sigaction(SIGSEGV, &old_segv, NULL);
    sigaction(SIGBUS, &old_bus, NULL);
    sigaction(SIGFPE, &old_fpe, NULL);
    if (old_segv.sa_handler == SIG_DFL || old_segv.sa_handler == SIG_IGN)
        raise(signal); /* delivered once the handler has returned; else the access faults again for the old
                          handler */
}

static void division(const ucontext_t *u)
{
    const struct sim_grid *g = sim_running();
    char text[80];
    struct sim_report r = sim_report("division", "KERNEL %s divided an integer by zero", g->name);
    sim_report_line(r, "at", "%s", faulting_line(u));
    sim_report_line(r, "thread", "%s", sim_thread_name(text));
    sim_report_line(r, "why", "a GPU goes on with a meaningless number; here the launch ends");
    sim_report_end(r);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    if (signal == SIGFPE) {
        if (!sim_in_kernel())
            die(signal);
        else {
            division(u);
            launch_error = cudaErrorLaunchFailure;
            leave_to_end_launch(u);
        }
        return;
    }
    const char *p = info->si_addr;
    bool device = sim_in_device_range(p);
    if (sim_in_kernel()) {
        if (device && !sim_memory_unlocked() && sim_is_there(p, 1)) {
            sim_memory_unlock();
            return;
        }
        launch_error = was_misaligned(u, info) ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
        if (launch_error == cudaErrorMisalignedAddress)
            misaligned(u);
        else
            kernel_fault(u, p);
        leave_to_end_launch(u);
        return;
    }
    if (device)
        report_host_access(p, was_write(u) ? "wrote" : "read", faulting_line(u));
    die(signal);
}

enum { SIGNAL_STACK = 128 << 10 }; /* reading debug information takes more than MINSIGSTKSZ */
static pthread_key_t stack_key;

static void thread_ends(void *stack)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(stack, SIGNAL_STACK);
}

void sim_fault_thread_init(void)
{
    static __thread bool done;
    if (done)
        return;
    done = true;
    void *stack =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        return;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = SIGNAL_STACK}, NULL);
    pthread_setspecific(stack_key, stack);
}

void sim_fault_init(void)
{
    pthread_key_create(&stack_key, thread_ends);
    void *warm_up[1];
    backtrace(warm_up, 1); /* loads what it needs now, not inside a signal handler */
    rescue_stack = mmap(NULL, RESCUE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old_segv);
    sigaction(SIGBUS, &action, &old_bus);
    sigaction(SIGFPE, &action, &old_fpe);
}

/* ---- assert() ---- */

/* glibc's, taken over: inside a kernel it ends the thread with CUDA's own text, outside the process. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    if (sim_in_kernel()) {
        fflush(stdout);
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                line, function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z,
                text);
        if (sim_checked) {
            char thread[80];
            struct sim_report r =
                sim_report_at("assertion", __builtin_return_address(0), "KERNEL %s: assertion `%s` failed",
                              sim_running()->name, text);
            sim_report_line(r, "at", "%s:%u", file, line);
            sim_report_line(r, "thread", "%s", sim_thread_name(thread));
            sim_report_end(r);
        }
        sim_thread_kill(cudaErrorAssert);
    }
    fflush(stdout);
    fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
            function, text);
    abort();
}

void sim_trap(void)
{
    char text[80];
    struct sim_report r =
        sim_report_at("trap", __builtin_return_address(0), "KERNEL %s called __trap()", sim_running()->name);
    sim_report_line(r, "at", "%s", sim_where(__builtin_return_address(0)));
    sim_report_line(r, "thread", "%s", sim_thread_name(text));
    sim_report_end(r);
    sim_grid_abort(cudaErrorLaunchFailure);
}
