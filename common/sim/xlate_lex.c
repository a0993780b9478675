/* SPDX-License-Identifier: MIT */
/* Text to tokens: what is a comment, a string, a name, and what belongs to a preprocessor line. */
#include "xlate_unit.h"

#include <limits.h>
#include <string.h>

typedef struct lexer {
    xlate *x;
    int file;
    const char *text;
    unsigned pos, bytes;
    int line, directive, fresh; /* fresh: nothing but blanks on this line yet */
} lexer;

static int is_name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static int is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static int peek(const lexer *l, unsigned ahead)
{
    return l->pos + ahead < l->bytes ? (unsigned char)l->text[l->pos + ahead] : -1;
}

/* Length of a line continuation at `pos`: the backslash, blanks (as gcc allows) and the line's end. */
static unsigned splice(const lexer *l, unsigned pos)
{
    unsigned p = pos;
    if (p >= l->bytes || l->text[p] != '\\')
        return 0;
    for (p++; p < l->bytes && (l->text[p] == ' ' || l->text[p] == '\t' || l->text[p] == '\r');)
        p++;
    return p < l->bytes && l->text[p] == '\n' ? p + 1 - pos : 0;
}

static token *emit(lexer *l, int kind, unsigned from, int line)
{
    token *t = PUSH(l->x, l->x->files.at[l->file].tokens);
    *t = (token){.pos = from,
                 .bytes = l->pos - from,
                 .line = line,
                 .id = -1,
                 .mate = -1,
                 .macros = INT_MAX,
                 .kind = (unsigned char)kind,
                 .directive = l->directive != 0};
    l->fresh = 0;
    return t;
}

static void skip_line_comment(lexer *l)
{
    while (l->pos < l->bytes && l->text[l->pos] != '\n') {
        unsigned n = splice(l, l->pos);
        l->pos += n ? n : 1;
        l->line += n != 0;
    }
}

static void skip_block_comment(lexer *l)
{
    unsigned from = l->pos;
    for (l->pos += 2; l->pos < l->bytes; l->pos++) {
        if (l->text[l->pos] == '*' && peek(l, 1) == '/') {
            l->pos += 2;
            return;
        }
        l->line += l->text[l->pos] == '\n';
    }
    unit_refuse(l->x, l->file, from, "this comment has no end: */ is missing");
}

static void lex_raw_string(lexer *l, unsigned from)
{
    int line = l->line;
    unsigned delimiter = ++l->pos, n = 0;
    while (l->pos + n < l->bytes && n <= 16 && !strchr("() \\\n", l->text[l->pos + n]))
        n++;
    for (l->pos += n; l->pos < l->bytes; l->pos++) {
        if (l->text[l->pos] == ')' && l->bytes - l->pos > n + 1 && l->text[l->pos + n + 1] == '"' &&
            !memcmp(l->text + l->pos + 1, l->text + delimiter, n)) {
            l->pos += n + 2;
            emit(l, T_STRING, from, line);
            return;
        }
        l->line += l->text[l->pos] == '\n';
    }
    unit_refuse(l->x, l->file, from, "this raw string has no end");
    emit(l, T_STRING, from, line);
}

/* An unterminated one ends with its line; the text of a skipped branch or of #error may hold a lone quote. */
static void lex_quoted(lexer *l, char quote)
{
    unsigned from = l->pos++;
    int line = l->line;
    while (l->pos < l->bytes && l->text[l->pos] != quote && l->text[l->pos] != '\n') {
        unsigned n = splice(l, l->pos);
        l->line += n != 0;
        l->pos += n                                                                                 ? n
                  : l->text[l->pos] == '\\' && l->pos + 1 < l->bytes && l->text[l->pos + 1] != '\n' ? 2
                                                                                                    : 1;
    }
    int ended = l->pos < l->bytes && l->text[l->pos] == quote;
    l->pos += ended;
    emit(l, quote == '"' ? T_STRING : T_CHAR, from, line)->c = ended ? 0 : quote;
}

static void lex_name(lexer *l)
{
    unsigned from = l->pos;
    while (l->pos < l->bytes &&
           (is_name_start((unsigned char)l->text[l->pos]) || is_digit((unsigned char)l->text[l->pos])))
        l->pos++;
    unsigned n = l->pos - from;
    const char *text = l->text + from;
    if (peek(l, 0) == '"' && text[n - 1] == 'R' &&
        (n == 1 || (n == 2 && strchr("uUL", text[0])) || (n == 3 && !memcmp(text, "u8", 2)))) {
        lex_raw_string(l, from);
        return;
    }
    emit(l, T_NAME, from, l->line)->id = unit_name(l->x, text, n);
}

static void lex_number(lexer *l)
{
    unsigned from = l->pos;
    for (l->pos++; l->pos < l->bytes;) {
        unsigned char c = (unsigned char)l->text[l->pos], before = (unsigned char)l->text[l->pos - 1];
        int exponent = (c == '+' || c == '-') && strchr("eEpP", before);
        int separator = c == '\'' && (is_name_start((unsigned char)(peek(l, 1) & 255)) ||
                                      is_digit((unsigned char)(peek(l, 1) & 255)));
        if (!is_digit(c) && !is_name_start(c) && c != '.' && !exponent && !separator)
            break;
        l->pos += separator ? 2 : 1;
    }
    emit(l, T_NUMBER, from, l->line);
}

static void lex_punct(lexer *l)
{
    char c = l->text[l->pos];
    if (c == '#' && l->fresh) {
        l->directive = 1;
        *PUSH(l->x, l->x->files.at[l->file].directives) = l->x->files.at[l->file].tokens.n;
    }
    l->pos++;
    emit(l, T_PUNCT, l->pos - 1, l->line)->c = c;
}

void lex_file(xlate *x, int at)
{
    file *f = &x->files.at[at];
    lexer l = {x, at, f->text, f->start, f->bytes, 1, 0, 1};
    while (l.pos < l.bytes) {
        unsigned char c = (unsigned char)l.text[l.pos];
        unsigned n = splice(&l, l.pos);
        if (n) {
            l.pos += n;
            l.line++;
        } else if (c == '\n') {
            l.pos++;
            l.line++;
            l.directive = 0;
            l.fresh = 1;
        } else if (c == ' ' || (c >= '\t' && c <= '\r') || !c) {
            l.pos++;
        } else if (c == '/' && peek(&l, 1) == '/') {
            skip_line_comment(&l);
        } else if (c == '/' && peek(&l, 1) == '*') {
            skip_block_comment(&l);
        } else if (c == '"' || c == '\'') {
            lex_quoted(&l, (char)c);
        } else if (is_name_start(c)) {
            lex_name(&l);
        } else if (is_digit(c) || (c == '.' && peek(&l, 1) >= '0' && peek(&l, 1) <= '9')) {
            lex_number(&l);
        } else {
            lex_punct(&l);
        }
    }
}

void stream_mates(stream *s)
{
    int top = -1; /* the open brackets are chained through their mate */
    for (int i = 0; i < s->n; i++) {
        char c = s->t[i].kind == T_PUNCT ? s->t[i].c : 0;
        s->t[i].mate = -1;
        if (c == '(' || c == '[' || c == '{') {
            s->t[i].mate = top;
            top = i;
        } else if (c == ')' || c == ']' || c == '}') {
            char want = c == ')' ? '(' : c == ']' ? '[' : '{';
            int open = top;
            while (open >= 0 && s->t[open].c != want)
                open = s->t[open].mate;
            if (open < 0)
                continue;
            while (top != open) { /* opened in between and never closed */
                int lost = top;
                top = s->t[lost].mate;
                s->t[lost].mate = -1;
            }
            top = s->t[open].mate;
            s->t[open].mate = i;
            s->t[i].mate = open;
        }
    }
    while (top >= 0) {
        int lost = top;
        top = s->t[lost].mate;
        s->t[lost].mate = -1;
    }
}

/* Does token i + 1 follow token i with nothing between? */
int stream_joined(const stream *s, int i)
{
    return i >= 0 && i + 1 < s->n && s->t[i].pos + s->t[i].bytes == s->t[i + 1].pos;
}

int is_punct(const stream *s, int i, char c)
{
    return i >= 0 && i < s->n && s->t[i].kind == T_PUNCT && s->t[i].c == c;
}

int is_name(const stream *s, int i, int id)
{
    return i >= 0 && i < s->n && s->t[i].kind == T_NAME && s->t[i].id == id;
}

/* The '>' that closes the template list opened by the '<' at i, or -1. */
int angle_close(const stream *s, int i)
{
    int depth = 0;
    for (; i < s->n; i++) {
        if (s->t[i].kind != T_PUNCT)
            continue;
        char c = s->t[i].c;
        if (c == '(' || c == '[' || c == '{') {
            if (s->t[i].mate < 0)
                return -1;
            i = s->t[i].mate;
        } else if (c == ')' || c == ']' || c == '}' || c == ';') {
            return -1;
        } else if (c == '<') {
            if (depth && stream_joined(s, i) && is_punct(s, i + 1, '<'))
                i++;
            else
                depth++;
        } else if (c == '>' && !(is_punct(s, i - 1, '-') && stream_joined(s, i - 1)) && --depth == 0) {
            return i;
        }
    }
    return -1;
}

/* The '<' that opened the template list closed by the '>' at i, or -1. */
int angle_open(const stream *s, int i)
{
    int depth = 0;
    for (; i >= 0; i--) {
        if (s->t[i].kind != T_PUNCT)
            continue;
        char c = s->t[i].c;
        if (c == ')' || c == ']' || c == '}') {
            if (s->t[i].mate < 0)
                return -1;
            i = s->t[i].mate;
        } else if (c == '(' || c == '[' || c == '{' || c == ';') {
            return -1;
        } else if (c == '>' && !(is_punct(s, i - 1, '-') && stream_joined(s, i - 1))) {
            depth++;
        } else if (c == '<') {
            if (is_punct(s, i - 1, '<') && stream_joined(s, i - 1))
                i--;
            else if (--depth == 0)
                return i;
        }
    }
    return -1;
}
