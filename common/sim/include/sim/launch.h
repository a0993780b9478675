/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief What simcc's translation of launches and shared memory stands on.
 *
 *     k<<<g, b, bytes, s>>>(x, n)   is compiled as   k%$(g, b, bytes, s)  (x, n)
 *
 * `$(...)` makes the configuration, calling it binds the arguments, and `%` launches: it binds less
 * tightly than a call, so any expression that names a kernel may stand on its left.
 */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include <cuda_runtime_api.h>
#include <sim/abi.h>
#include <new>
#include <type_traits>
#include <utility>

namespace sim
{

/* As a call would convert an argument; 0 and NULL, which lose their being constants on the way, are null
 * pointers too. */
template <class P, class A> inline P convert(A &&a)
{
    if constexpr (std::is_pointer<P>::value &&
                  std::is_integral<typename std::remove_reference<A>::type>::value) {
        return reinterpret_cast<P>(static_cast<size_t>(a));
    } else {
        static_assert(std::is_convertible<A &&, P>::value,
                      "an argument of the launch does not fit the kernel's parameter");
        return static_cast<A &&>(a);
    }
}

/* A parameter that is a reference goes to the device as an address, as with nvcc: of host memory, mostly. */
template <class T> struct Reference {
    T *to;
    Reference(T &a) : to(&a)
    {
    }
    operator T &() const
    {
        return *to;
    }
};
template <class P> struct Kept {
    using type = typename std::decay<P>::type;
};
template <class T> struct Kept<T &> {
    using type = Reference<T>;
};
template <class P> using kept = typename Kept<P>::type;

/* The arguments of a launch, one inside the other; kept as the kernel's parameter types. */
struct From {
}; /* tells "make one from values" from "copy one" */
template <class... P> struct Pack {
    static constexpr int count = 0;
    Pack() = default;
    Pack(From)
    {
    }
};
template <class P, class... Rest> struct Pack<P, Rest...> {
    static constexpr int count = 1 + sizeof...(Rest);
    P value;
    Pack<Rest...> rest;
    template <class A, class... B>
    Pack(From, A &&a, B &&...b)
        : value(convert<P>(static_cast<A &&>(a))), rest(From(), static_cast<B &&>(b)...)
    {
    }
};

/* Call `f` with the values of a pack, copied for each thread, since a kernel may change its parameters. */
template <class F, class... Done> SIM_UNSEEN_PART inline void call(F &f, const Pack<> &, const Done &...done)
{
    f(done...);
}
template <class F, class P, class... Rest, class... Done>
SIM_UNSEEN_PART inline void call(F &f, const Pack<P, Rest...> &pack, const Done &...done)
{
    call(f, pack.rest, done..., pack.value);
}

/* Where the values of a pack are; then NULL. */
inline void addresses(Pack<> &, void **to)
{
    *to = nullptr;
}
template <class P, class... Rest> inline void addresses(Pack<P, Rest...> &pack, void **to)
{
    *to = (void *)&pack.value;
    addresses(pack.rest, to + 1);
}

/* The value of an argument that is a pointer, else NULL. */
template <class T> inline const void *pointer_of(const T &value)
{
    if constexpr (std::is_pointer<T>::value &&
                  !std::is_function<typename std::remove_pointer<T>::type>::value)
        return const_cast<const void *>(static_cast<const volatile void *>(value));
    else
        return nullptr;
}
template <class T> inline const void *pointer_of(const Reference<T> &value)
{
    return pointer_of(value.to);
}
inline void pointers_of(const Pack<> &, const void **)
{
}
template <class P, class... Rest> inline void pointers_of(const Pack<P, Rest...> &pack, const void **to)
{
    *to = pointer_of(pack.value);
    pointers_of(pack.rest, to + 1);
}

/*
 * Run the threads of a block in order, as a plain loop. Once one of them has waited the scheduler keeps track
 * of each, and says what comes next.
 */
#ifdef SIM_CHECKED
/* Here the scheduler keeps track of each from the start. */
template <class F, class Args> SIM_UNSEEN_PART inline void run_threads(F f, const Args args)
{
    call(f, args);
}
#else
template <class F, class Args> __attribute__((noinline)) void run_threads(F f, const Args args)
{
    unsigned x = threadIdx.x;
    for (;;) {
        call(f, args);
        if (sim_threads_tracked)
            return;
        if (++x < blockDim.x) {
            threadIdx.x = x;
            continue;
        }
        threadIdx.x = x = 0;
        if (++threadIdx.y < blockDim.y)
            continue;
        threadIdx.y = 0;
        if (++threadIdx.z == blockDim.z)
            return;
    }
}
#endif

/* A function and its arguments, as they lie in the queue until the device runs them. */
template <class F, class Args> struct Work {
    F function;
    Args args;
    SIM_UNSEEN static void run(void *self)
    {
        Work &work = *static_cast<Work *>(self);
        do
            run_threads(work.function, work.args);
        while (sim_next_thread());
    }
};

template <class F, class Args>
inline void launch(F function, const void *entry, const char *name, const sim_launch &config,
                   const Args &args)
{
    using W = Work<F, Args>;
    sim_launch l = config;
    l.entry = entry;
    l.name = name;
    l.run = W::run;
    void *memory = sim_launch_begin(&l, sizeof(W));
    if (!memory)
        return;
    W *work = new (memory) W{function, args};
    const void *pointers[Args::count + 1];
    pointers_of(work->args, pointers);
    sim_launch_commit(memory, pointers, Args::count);
}

/* A configuration with its arguments, before the kernel is known. */
template <class... A> struct Bound {
    const sim_launch &config;
    Pack<A...> args;
};

/* A kernel named without its template arguments, or one of several: resolved by the call itself. */
template <class F> struct Generic {
    F call;
    const char *name;
};
template <class F> inline Generic<F> generic(F call, const char *name)
{
    return {call, name};
}

} // namespace sim

struct $ {
    sim_launch config;
    $(dim3 grid, dim3 block = 1, size_t bytes = 0, cudaStream_t stream = 0,
      const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : config{nullptr, nullptr, nullptr, grid, block, bytes, stream, {file, line}, 0}
    {
    }
    template <class... A> sim::Bound<A &&...> operator()(A &&...a) const
    {
        return {config, sim::Pack<A &&...>(sim::From(), static_cast<A &&>(a)...)};
    }
};

namespace sim
{

template <class... P, class F, class... A, class... Done>
inline void bind(F f, const sim_launch &config, const Pack<> &, Done &&...done)
{
    static_assert(sizeof...(P) == sizeof...(Done),
                  "the launch has another number of arguments than the kernel");
    if constexpr (sizeof...(P) == sizeof...(Done))
        launch(f, (const void *)f, nullptr, config, Pack<kept<P>...>(From(), static_cast<Done &&>(done)...));
}
template <class... P, class F, class A, class... Rest, class... Done>
inline void bind(F f, const sim_launch &config, const Pack<A, Rest...> &args, Done &&...done)
{
    bind<P...>(f, config, args.rest, static_cast<Done &&>(done)..., static_cast<A>(args.value));
}

template <class F, class... Done>
inline void bind_generic(const Generic<F> &f, const sim_launch &config, const Pack<> &, Done &&...done)
{
    launch(f.call, (const void *)&Work<F, Pack<typename std::decay<Done>::type...>>::run, f.name, config,
           Pack<typename std::decay<Done>::type...>(From(), static_cast<Done &&>(done)...));
}
template <class F, class A, class... Rest, class... Done>
inline void bind_generic(const Generic<F> &f, const sim_launch &config, const Pack<A, Rest...> &args,
                         Done &&...done)
{
    bind_generic(f, config, args.rest, static_cast<Done &&>(done)..., static_cast<A>(args.value));
}

template <class R, class... P, class... A> inline void operator%(R (*kernel)(P...), const Bound<A...> &bound)
{
    bind<P...>(kernel, bound.config, bound.args);
}
template <class F, class... A> inline void operator%(const Generic<F> &kernel, const Bound<A...> &bound)
{
    bind_generic(kernel, bound.config, bound.args);
}

/* ---- registration ---- */

static const char unit = 0; /* its address tells this translation unit from others */

template <auto Kernel, class R, class... P> struct Kernel_of {
    struct Direct {
        SIM_UNSEEN_PART void operator()(const P &...p) const
        {
            Kernel(p...);
        }
    };
    using Args = Pack<kept<P>...>;
    using W = Work<R (*)(P...), Args>;
    /* As Work::run, with the kernel known to the compiler. */
    SIM_UNSEEN static void run(void *self)
    {
        W &work = *static_cast<W *>(self);
        do
            run_threads(Direct(), work.args);
        while (sim_next_thread());
    }
    template <size_t... I> static void unpack_as(void *to, void **from, std::index_sequence<I...>)
    {
        new (to) W{Kernel, Args(From(), *static_cast<kept<P> *>(from[I])...)};
    }
    static size_t unpack(void *to, void **from)
    {
        if (to)
            unpack_as(to, from, std::index_sequence_for<P...>());
        else if (from)
            addresses(static_cast<W *>(from[0])->args, from);
        return sizeof(W);
    }
};

template <auto Kernel, class R, class... P> Kernel_of<Kernel, R, P...> kernel_of(R (*)(P...));
template <class R, class... P> constexpr bool returns_void(R (*)(P...))
{
    return std::is_void<R>::value;
}

#ifdef SIM_CHECKED
struct Register_type {
    Register_type(size_t bytes, size_t align)
    {
        sim_register_type(bytes, align);
    }
};
#endif

struct Register {
    template <size_t N> Register(sim_entry entry, const int (&functions)[N])
    {
        entry.unit = &unit;
        entry.functions = functions + 1; // the first is there so that the list is never empty
        entry.function_count = N - 1;
        sim_register_kernel(&entry);
    }
    Register(const volatile void *address, size_t bytes, const char *name, int space)
    {
        sim_register_symbol((const void *)address, bytes, name, space);
    }
    Register(const void *owner, int function, size_t bytes)
    {
        if (function > 0)
            sim_register_shared(owner, function, bytes);
    }
};

template <auto Kernel>
inline sim_entry entry_of(const char *name, int max_threads, int min_blocks, int has_return)
{
    using K = decltype(kernel_of<Kernel>(Kernel));
    return {(const void *)Kernel, name,       K::run,    K::unpack, nullptr, nullptr, 0,
            max_threads,          min_blocks, has_return};
}

/* Whose shared memory a variable is: that of function N of this translation unit, or of one instance of a
 * template kernel. */
template <int N> struct Function {
    static constexpr int number = N;
    static const void *owner()
    {
        return &unit;
    }
};
template <auto Kernel, int MaxThreads, int MinBlocks, int HasReturn, int... Functions> struct Instance {
    static constexpr int number = 1;
    static const void *owner()
    {
        return (const void *)Kernel;
    }
    static inline const Register registered{entry_of<Kernel>(nullptr, MaxThreads, MinBlocks, HasReturn),
                                            {0, Functions...}};
};

/* ---- shared memory ---- */

template <class Owner, class Tag, class T> struct Shared_variable {
    static inline sim_shared variable = {sizeof(T), alignof(T), nullptr, 0, nullptr};
    static inline const Register registered{Owner::owner(), Owner::number, sizeof(T)};
};

/* Converts to a reference to the running block's variable, whatever its type is. */
template <class Owner, class Tag> struct Shared {
    template <class T> SIM_UNSEEN operator T &() const
    {
        using V = Shared_variable<Owner, Tag, T>;
        (void)&V::registered;
        if (V::variable.epoch != sim_block_epoch)
            sim_shared_touch(&V::variable);
        return *static_cast<T *>(V::variable.address);
    }
};

struct Dynamic_shared {
    template <class T> operator T &() const
    {
        return *static_cast<T *>(SIM_DYNAMIC_SHARED);
    }
};

} // namespace sim

template <int N, class Tag> inline sim::Shared<sim::Function<N>, Tag> $sh(Tag)
{
    return {};
}
template <class Owner, class Tag> inline sim::Shared<Owner, Tag> $sh(Tag)
{
    return {};
}
static const sim::Dynamic_shared $dyn;

#define $K(kernel)                                                                                           \
    sim::generic([](auto &&...a) SIM_UNSEEN { kernel(static_cast<decltype(a) &&>(a)...); }, #kernel)

#define SIM_NAME_2(a, b) a##b
#define SIM_NAME(a, b) SIM_NAME_2(a, b)
#define SIM_ENTRY(kernel, max_threads, min_blocks, has_return, ...)                                          \
    static const sim::Register SIM_NAME(sim_kernel_, __COUNTER__)(                                           \
        sim::entry_of<&kernel>(#kernel, max_threads, min_blocks, has_return), {0, ##__VA_ARGS__});
#define SIM_KERNEL(kernel, max_threads, min_blocks, ...)                                                     \
    SIM_ENTRY(kernel, max_threads, min_blocks, 0, ##__VA_ARGS__)
#define SIM_KERNEL_WITH_RETURN(kernel, max_threads, min_blocks, ...)                                         \
    SIM_ENTRY(kernel, max_threads, min_blocks, 1, ##__VA_ARGS__)
#define SIM_BARE(...) __VA_ARGS__
/* Before a kernel's own statements, where its return type goes by a name. */
#define SIM_VOID(...)                                                                                        \
    static_assert(sim::returns_void(&__VA_ARGS__),                                                           \
                  "a kernel returns a value: a __global__ function must return void, results go through "    \
                  "memory")
#define SIM_INSTANCE(kernel, max_threads, min_blocks, has_return, ...)                                       \
    using $me = sim::Instance<&SIM_BARE kernel, max_threads, min_blocks, has_return, ##__VA_ARGS__>;         \
    (void)&$me::registered
/* What a kernel, or a function that kernels call, declares and reads. */
#define SIM_SHARED_LIMIT(bytes)                                                                              \
    static_assert((bytes) <= 49152,                                                                          \
                  "more than 48 KiB of static shared memory in one kernel: use extern __shared__, which a "  \
                  "launch can give up to 227 KiB")
#ifdef SIM_CHECKED
#define SIM_TYPE(type)                                                                                       \
    static const sim::Register_type SIM_NAME(sim_type_, __COUNTER__)(sizeof(type), alignof(type))
#else
#define SIM_TYPE(type) static_assert(true, "")
#endif
/* Checked, a variable has a section of its own that ends with a gap: an index outside meets nothing. */
#if defined(SIM_CHECKED) && (!defined(__PIC__) || defined(__PIE__))
#define SIM_ADDRESS(variable)                                                                                \
    [] {                                                                                                     \
        __asm__ volatile(".pushsection .bss.%c0,\"aw\",@nobits\n.zero 64\n.popsection\n"                     \
                         ".pushsection .data.%c0,\"aw\",@progbits\n.zero 64\n.popsection" ::"i"(&variable)); \
        return &variable;                                                                                    \
    }()
#else
#define SIM_ADDRESS(variable) &variable
#endif
/* Constant memory is one bank for a whole file. Only the assembler sees all of it, whatever was compiled in
 * the end, and its error names the line of the statement: hence all in one line. */
#define SIM_CONSTANT_BYTES(bytes, space)                                                                     \
    [] {                                                                                                     \
        __asm__ volatile(".ifndef .Lsim_bank; .set .Lsim_bank, 0; .endif; "                                  \
                         ".ifndef .Lsim_bank_%c1; .set .Lsim_bank_%c1, 0; "                                  \
                         ".set .Lsim_bank, .Lsim_bank + %c0; .if .Lsim_bank > 65536; "                       \
                         ".error \"the __constant__ variables of this file up to here are together more "    \
                         "than 64 KiB, the size of constant memory: make some of them __device__\"; "        \
                         ".endif; .endif" ::"i"(space == SIM_SPACE_CONSTANT ? bytes : 0),                    \
                         "i"(__COUNTER__));                                                                  \
        return bytes;                                                                                        \
    }()
#define SIM_SYMBOL(variable, space)                                                                          \
    static_assert(space != SIM_SPACE_CONSTANT || sizeof(variable) <= 65536,                                  \
                  "more than 64 KiB of __constant__ memory: make it __device__");                            \
    static const sim::Register SIM_NAME(sim_symbol_, __COUNTER__)(                                           \
        SIM_ADDRESS(variable), SIM_CONSTANT_BYTES(sizeof(variable), space), #variable, space);

#endif
