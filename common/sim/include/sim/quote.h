/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Text of launches as the student wrote it, where a macro stringizes one.
 *
 *     CHECK((k<<<1, 2>>>(p), cudaGetLastError()))   #x is   (k%$(1, 2).operator()(p), cudaGetLastError())
 *
 * There simcc writes no macro of its own into the argument, which might be expanded before it becomes text;
 * in the macro it writes `$str("at " #x)` for `"at " #x`, and `$str` puts the brackets back.
 */
#ifndef SIM_QUOTE_H
#define SIM_QUOTE_H

#include <stddef.h>

/** @brief The text given, with every launch spelled `<<< >>>` again; a `const char *` that lives for ever. */
#define $str(...)                                                                                            \
    ([]() -> const char * {                                                                                  \
        static constexpr sim::Quote quote(__VA_ARGS__);                                                      \
        return quote.text;                                                                                   \
    }())

namespace sim
{

template <size_t N> struct Quote {
    char text[N];

    constexpr Quote(const char (&from)[N]) : text()
    {
        size_t n = 0, i = 0;
        while (i + 1 < N) {
            if (skip(from, i, "%$(")) {
                n = put(n, '<');
            } else if (skip(from, i, ").operator()")) {
                n = put(n, '>');
            } else if (skip(from, i, "(static_cast<decltype($a)&&>($a)...);},\"")) {
                while (i + 1 < N && !skip(from, i, "\")"))
                    i++;
            } else if (!skip(from, i, "sim::generic([&](auto&&...$a){")) {
                text[n++] = from[i++];
            }
        }
    }

  private:
    static constexpr bool skip(const char (&from)[N], size_t &i, const char *what)
    {
        size_t n = 0;
        while (what[n] && i + n < N && from[i + n] == what[n])
            n++;
        i += what[n] ? 0 : n;
        return !what[n];
    }
    constexpr size_t put(size_t n, char bracket)
    {
        text[n] = text[n + 1] = text[n + 2] = bracket;
        return n + 3;
    }
};

} // namespace sim

#endif
