/* SPDX-License-Identifier: MIT */
/**
 * @file
 * @brief Text of launches as the student wrote it, where a macro stringizes one.
 *
 *     CHECK((k<<<1, 2>>>(p), cudaGetLastError()))   #x is   (k%$(1, 2)$_(p), cudaGetLastError())
 *
 * simcc includes this where it is needed and writes `$str("at " #x)` for `"at " #x` in such macros.
 */
#ifndef SIM_QUOTE_H
#define SIM_QUOTE_H

#include <stddef.h>

/** @brief Stands where `>>>` had its last two characters; means nothing. */
#define $_

/** @brief The text given, with every launch spelled `<<< >>>` again; a `const char *` that lives for ever. */
#define $str(...)                                                                                            \
    ([]() -> const char * {                                                                                  \
        static constexpr sim::Quote quote(__VA_ARGS__);                                                      \
        return quote.text;                                                                                   \
    }())

namespace sim {

template <size_t N> struct Quote {
    char text[N];

    constexpr Quote(const char (&from)[N]) : text()
    {
        size_t n = 0, wrap_end = N;
        for (size_t i = 0; i + 1 < N;) {
            if (is_at(from, i, "%$(")) {
                n = put(n, '<');
                i += 3;
            } else if (is_at(from, i, ")$_")) {
                n = put(n, '>');
                i += 3;
            } else if (is_at(from, i, "$K(")) { /* the wrapped name stays, its wrapping goes */
                size_t depth = 1;
                for (wrap_end = i + 3; wrap_end < N && depth; wrap_end++)
                    depth += (from[wrap_end] == '(') - (from[wrap_end] == ')');
                wrap_end--;
                i += 3;
            } else if (i == wrap_end) {
                i++;
            } else {
                text[n++] = from[i++];
            }
        }
    }

private:
    static constexpr bool is_at(const char (&from)[N], size_t i, const char *what)
    {
        return i + 3 < N && from[i] == what[0] && from[i + 1] == what[1] && from[i + 2] == what[2];
    }
    constexpr size_t put(size_t n, char bracket)
    {
        text[n] = text[n + 1] = text[n + 2] = bracket;
        return n + 3;
    }
};

} // namespace sim

#endif
