/* The compiled reader: plain blocks of lines, and rows against a pool. It knows no messages.

   Whatever is unusual is declined with None, and plain Python takes over, with its words: another number of columns, a
   blank line, a control character, a number that cannot be read exactly, a document twice. What is taken gives the same
   arrays, bit by bit. Bytes from 0x80 on are letters; whether they are UTF-8, the caller checks. See
   docs/decisions/0024-a-compiled-reader.md.

   Limited API of Python 3.11: one build serves all later versions. Arrays go in as buffers and come out as bytearrays,
   so NumPy's headers are not needed. The lock of the interpreter is let go while bytes are looked at. */

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INTERFACE 5 /* as in kernel.py: a file left from another version is not used */
#define RUN_COLUMNS 6
#define QRELS_COLUMNS 4
#define MOST_SYMBOLS 64 /* of a number that the fast way leaves */
#define MOST_PROBES 96  /* in a hash table at most half full: more is no chance */

typedef unsigned char byte;

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

enum { LETTER, BLANK, LINE_END, STRANGE };
static byte kind_of[256];

static void fill_kinds(void) {
    for (int code = 0; code < 256; code++)
        kind_of[code] = code > 0x20 ? LETTER : STRANGE;
    kind_of[' '] = kind_of['\t'] = kind_of['\r'] = BLANK;
    kind_of['\n'] = LINE_END;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define EVERY(code) (UINT64_C(0x0101010101010101) * (code))
#define LAST_WORD 8 /* words are read where at least so many bytes are left */
#else
#define LAST_WORD PTRDIFF_MAX
#endif

static uint64_t word_at(const byte *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

/* The end of a word of letters, eight bytes at a time; a line end stops it, and every block ends with one. */
static const byte *skip_letters(const byte *at, const byte *end) {
#ifdef EVERY
    for (; end - at >= LAST_WORD; at += 8) {
        uint64_t word = word_at(at);
        uint64_t other = (word - EVERY(0x21)) & ~word & EVERY(0x80); /* bytes below 0x21; exact up to the first one */
        if (other)
            return at + (__builtin_ctzll(other) >> 3);
    }
#endif
    while (kind_of[*at] == LETTER)
        at++;
    return at;
}

static const byte *skip_blanks(const byte *at) {
    if (*at == ' ' && kind_of[at[1]] == LETTER) /* mostly there is one; a branch is guessed right, a sum waits */
        return at + 1;
    while (kind_of[*at] == BLANK)
        at++;
    return at;
}

static int is_alike(const byte *one, const byte *other, size_t length, const byte *end) {
#ifdef EVERY
    if (length - 1 < 8 && end - one >= LAST_WORD && end - other >= LAST_WORD)
        return (word_at(one) ^ word_at(other)) << (64 - 8 * length) == 0;
#endif
    return memcmp(one, other, length) == 0;
}

/* Whether a column holds the same as on the line before. */
static int is_repeated(const byte *at, const byte *end, const byte *before, size_t length) {
    return before != NULL && (size_t)(end - at) > length && is_alike(at, before, length, end) && kind_of[at[length]] != LETTER;
}

static const byte *skip_alike(const byte *at, const byte *end, const byte *before, size_t length) {
    return is_repeated(at, end, before, length) ? at + length : skip_letters(at, end);
}

#define STRIDE 192 /* bytes whose line ends a byte can count */

static Py_ssize_t count_ends(const byte *at, const byte *end) {
    Py_ssize_t count = 0;
    for (; end - at >= STRIDE; at += STRIDE) { /* so that many bytes are compared at a time */
        byte few = 0;
        for (int place = 0; place < STRIDE; place++)
            few = (byte)(few + (at[place] == '\n'));
        count += few;
    }
    while (at < end)
        count += *at++ == '\n';
    return count;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
#define MOST_DIGITS 19 /* that 64 bits hold; a double holds powers of ten exactly up to 22 */

/* The double nearest to whole / 10^decimals; 0 where it cannot be told without big numbers. */
static int divide(uint64_t whole, int decimals, double *number) {
#if FLT_EVAL_METHOD == 0
    if (whole <= (uint64_t)1 << 53) { /* both exact, so the quotient is rounded once */
        *number = (double)whole / POWERS[decimals];
        return 1;
    }
#endif
#if LDBL_MANT_DIG == 64
    /* Both exact in 64 bits; rounding twice differs from rounding once only if the first lands half-way. */
    long double quotient = (long double)whole / (long double)POWERS[decimals];
    uint64_t mantissa;
    memcpy(&mantissa, &quotient, sizeof mantissa);
    if ((mantissa & 0x7ff) != 0x400) {
        *number = (double)quotient;
        return 1;
    }
#endif
    return 0;
}

/* A decimal without exponent, up to a blank: where it ends, or NULL for what must be read another way. */
static const byte *read_decimal(const byte *at, double *number) {
    uint64_t whole = 0;
    int negative = *at == '-', decimals = 0;
    const byte *begin = at += negative, *dot;
    for (; (unsigned)(*at - '0') <= 9; at++)
        whole = whole * 10 + (unsigned)(*at - '0');
    Py_ssize_t digits = at - begin;
    if (*at == '.') {
        for (dot = at++; (unsigned)(*at - '0') <= 9; at++)
            whole = whole * 10 + (unsigned)(*at - '0');
        digits = at - begin - 1;
        decimals = (int)(at - dot - 1 > MOST_DIGITS ? MOST_DIGITS + 1 : at - dot - 1);
    }
    if (kind_of[*at] != BLANK || digits == 0 || digits > MOST_DIGITS || !divide(whole, decimals, number))
        return NULL;
    if (negative)
        *number = -*number;
    return at;
}

/* Whether it is -?digits[.digits][(e|E)(+|-)?digits], with a digit before the exponent. */
static int is_number(const byte *at, const byte *end) {
    int digits = 0;
    at += at < end && *at == '-';
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        digits++;
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++)
            digits++;
    if (digits == 0)
        return 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        if (at == end)
            return 0;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
    }
    return at == end;
}

/* A whole number of at most four digits in its usual spelling, as `trec.WHOLE` has it. */
static int read_level(const byte *at, const byte *end, int16_t *level) {
    int negative = *at == '-', value = 0;
    at += negative;
    if (at == end || end - at > 4 || (*at == '0' && (negative || end - at > 1)))
        return 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return 0;
        value = value * 10 + (*at - '0');
    }
    *level = (int16_t)(negative ? -value : value);
    return 1;
}

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

typedef struct {
    Py_buffer view;
    Py_ssize_t count;
    int wide;
} Whole; /* whole numbers of 32 or 64 bits */

/* -1 with an exception, 0 for numbers of another size, 1. */
static int take_whole(PyObject *given, Whole *taken) {
    if (PyObject_GetBuffer(given, &taken->view, PyBUF_ND) < 0)
        return -1;
    taken->wide = taken->view.itemsize == 8;
    taken->count = taken->view.len / taken->view.itemsize;
    return taken->wide || taken->view.itemsize == 4;
}

static int64_t whole_at(const Whole *taken, Py_ssize_t place) {
    return taken->wide ? ((const int64_t *)taken->view.buf)[place] : ((const int32_t *)taken->view.buf)[place];
}

static PyObject *make_bytes(Py_ssize_t count, size_t size) {
    if (count > PY_SSIZE_T_MAX / (Py_ssize_t)size) {
        PyErr_NoMemory();
        return NULL;
    }
    return PyByteArray_FromStringAndSize(NULL, count * (Py_ssize_t)size);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

typedef struct {
    int32_t row, start, length;
} Late; /* a number to be read with Python's help */

typedef struct {
    int32_t *start, *length; /* of each row's document */
    double *score;
    int16_t *level;
    int32_t *head; /* rows at which the topic changes: row, start and length of the topic */
    Py_ssize_t heads;
    Late *late;
    size_t lates, room;
} Columns;

static int add_late(Columns *into, const byte *at, const byte *end, const byte *base, int32_t row) {
    if (end - at >= MOST_SYMBOLS || !is_number(at, end))
        return 0;
    if (into->lates == into->room) {
        size_t room = into->room ? 2 * into->room : 64;
        Late *more = room > SIZE_MAX / sizeof(Late) ? NULL : realloc(into->late, room * sizeof(Late));
        if (more == NULL)
            return 0;
        into->late = more;
        into->room = room;
    }
    into->late[into->lates++] = (Late){row, (int32_t)(at - base), (int32_t)(end - at)};
    return 1;
}

/* Fill the columns of all rows; 0 where a line is not plain. `end` stands behind the last line end.

   A column that is empty stands at a line end or a strange byte, so all columns behind it are empty, too. */
static int split_lines(const byte *base, const byte *end, int columns, Columns *into) {
    const byte *at = base, *topic = NULL, *second = NULL, *tag = NULL, *from;
    size_t topic_length = 0, second_length = 0, tag_length = 0;
    for (int32_t row = 0; at < end; row++, at++) {
        from = skip_blanks(at);
        if (is_repeated(from, end, topic, topic_length)) {
            at = from + topic_length;
        } else {
            int32_t *head = into->head + 3 * into->heads++;
            at = skip_letters(from, end);
            head[0] = row;
            head[1] = (int32_t)(from - base);
            head[2] = (int32_t)(topic_length = (size_t)(at - from));
        }
        topic = from;
        from = skip_blanks(at);
        at = skip_alike(from, end, second, second_length);
        second = from;
        second_length = (size_t)(at - from);
        from = skip_blanks(at);
        at = skip_letters(from, end);
        into->start[row] = (int32_t)(from - base);
        into->length[row] = (int32_t)(at - from);
        from = skip_blanks(at);
        at = skip_letters(from, end);
        if (columns == QRELS_COLUMNS) {
            if (!read_level(from, at, into->level + row))
                return 0;
        } else {
            from = skip_blanks(at);
            if ((at = read_decimal(from, into->score + row)) == NULL) {
                at = skip_letters(from, end);
                if (!add_late(into, from, at, base, row))
                    return 0;
            }
            from = skip_blanks(at);
            at = skip_alike(from, end, tag, tag_length);
            tag = from;
            if ((tag_length = (size_t)(at - from)) == 0)
                return 0;
        }
        at = skip_blanks(at);
        if (*at != '\n')
            return 0;
    }
    return 1;
}

/* 1 when all are read, 0 to decline. */
static int read_late(const byte *base, Columns *columns) {
    char text[MOST_SYMBOLS];
    for (size_t place = 0; place < columns->lates; place++) {
        Late late = columns->late[place];
        memcpy(text, base + late.start, (size_t)late.length);
        text[late.length] = 0;
        columns->score[late.row] = PyOS_string_to_double(text, NULL, NULL);
        if (columns->score[late.row] == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return 0;
        }
    }
    return 1;
}

static PyObject *split_block(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *block, *answer = NULL, *parts[4] = {NULL};
    Py_ssize_t stop, rows = 0;
    Py_buffer view;
    Columns into = {0};
    int columns, plain;
    if (!PyArg_ParseTuple(arguments, "Oni", &block, &stop, &columns) || PyObject_GetBuffer(block, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    const byte *base = view.buf, *end = base + stop;
    plain = (columns == RUN_COLUMNS || columns == QRELS_COLUMNS) && 0 < stop && stop <= view.len && stop < INT32_MAX &&
            end[-1] == '\n';
    if (plain) {
        Py_BEGIN_ALLOW_THREADS rows = count_ends(base, end);
        Py_END_ALLOW_THREADS
        size_t sizes[4] = {4, 4, columns == RUN_COLUMNS ? 8 : 2, 12};
        for (int place = 0; place < 4; place++)
            if ((parts[place] = make_bytes(rows, sizes[place])) == NULL)
                goto done;
        into.start = (int32_t *)PyByteArray_AsString(parts[0]);
        into.length = (int32_t *)PyByteArray_AsString(parts[1]);
        into.score = (double *)PyByteArray_AsString(parts[2]);
        into.level = (int16_t *)PyByteArray_AsString(parts[2]);
        into.head = (int32_t *)PyByteArray_AsString(parts[3]);
        Py_BEGIN_ALLOW_THREADS plain = columns == RUN_COLUMNS ? split_lines(base, end, RUN_COLUMNS, &into)
                                                     : split_lines(base, end, QRELS_COLUMNS, &into);
        Py_END_ALLOW_THREADS
        plain = plain && read_late(base, &into);
    }
    if (!plain)
        answer = Py_NewRef(Py_None);
    else if (PyByteArray_Resize(parts[3], into.heads * 12) == 0)
        answer = PyTuple_Pack(4, parts[0], parts[1], parts[2], parts[3]);
done:
    for (int place = 0; place < 4; place++)
        Py_XDECREF(parts[place]);
    free(into.late);
    PyBuffer_Release(&view);
    return answer;
}

/* ---- tables of names -------------------------------------------------------------------------------------------- */

typedef struct {
    Py_buffer text;
    Whole start, length;
} Texts;

static uint64_t mix(uint64_t value) {
    value ^= value >> 32;
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return value ^ value >> 29;
}

static uint64_t hash_text(const byte *text, int64_t length, const byte *end) {
    uint64_t total = (uint64_t)length * UINT64_C(0xD6E8FEB86659FD93), word = 0;
    for (; length >= 8; text += 8, length -= 8)
        total = mix(total ^ word_at(text));
#ifdef EVERY
    if (end - text >= LAST_WORD)
        return mix(total ^ (word_at(text) & ((UINT64_C(1) << 8 * length) - 1)));
#endif
    memcpy(&word, text, (size_t)length);
    return mix(total ^ word);
}

static const byte *text_at(const Texts *texts, Py_ssize_t place, int64_t *length) {
    int64_t start = whole_at(&texts->start, place);
    *length = whole_at(&texts->length, place);
    if (start < 0 || *length < 0 || start > texts->text.len || *length > texts->text.len - start)
        return NULL;
    return (const byte *)texts->text.buf + start;
}

enum { ABSENT, THERE, UNLUCKY };

/* Whether a text is in the table of a topic's rows, and the slot where it is or would be. */
static int find_row(const uint64_t *table, size_t mask, const Texts *rows, Py_ssize_t first, const byte *text,
                    int64_t length, uint64_t hash, size_t *slot) {
    int64_t other_length;
    int probes = 0;
    for (*slot = (size_t)hash & mask; table[*slot]; *slot = (*slot + 1) & mask) {
        if (++probes > MOST_PROBES)
            return UNLUCKY;
        if (table[*slot] >> 32 != hash >> 32)
            continue;
        const byte *other = text_at(rows, first + (Py_ssize_t)(uint32_t)table[*slot] - 1, &other_length);
        if (other_length == length && memcmp(other, text, (size_t)length) == 0)
            return THERE;
    }
    return ABSENT;
}

static size_t slots_for(Py_ssize_t rows) {
    size_t slots = 1;
    while (slots < 2 * (size_t)rows)
        slots *= 2;
    return slots;
}

static uint64_t make_slot(uint64_t hash, Py_ssize_t row) { return hash >> 32 << 32 | (uint64_t)(row + 1); }

/* ---- numbers for names ------------------------------------------------------------------------------------------ */

/* Number the distinct texts of each group; the table of one group after another stays in the processor's cache. */
static int number_groups(const Whole *bound, const Texts *rows, uint64_t *table, int64_t *number, Py_ssize_t *count) {
    const byte *end = (const byte *)rows->text.buf + rows->text.len;
    for (Py_ssize_t group = 0; group + 1 < bound->count; group++) {
        Py_ssize_t first = (Py_ssize_t)whole_at(bound, group), last = (Py_ssize_t)whole_at(bound, group + 1);
        size_t mask = slots_for(last - first) - 1, slot;
        memset(table, 0, (mask + 1) * sizeof(uint64_t));
        for (Py_ssize_t row = first; row < last; row++) {
            int64_t length;
            const byte *text = text_at(rows, row, &length);
            if (text == NULL)
                return 0;
            uint64_t hash = hash_text(text, length, end);
            int found = find_row(table, mask, rows, first, text, length, hash, &slot);
            if (found == UNLUCKY)
                return 0;
            if (found == ABSENT) {
                table[slot] = make_slot(hash, row - first);
                number[row] = (int64_t)(*count)++;
            } else {
                number[row] = number[first + (Py_ssize_t)(uint32_t)table[slot] - 1];
            }
        }
    }
    return 1;
}

/* The rows of the largest group; -1 where the bounds do not fit the rows. */
static Py_ssize_t largest_group(const Whole *bound, Py_ssize_t rows) {
    Py_ssize_t largest = 0;
    if (bound->count < 1 || whole_at(bound, 0) != 0 || whole_at(bound, bound->count - 1) != rows)
        return -1;
    for (Py_ssize_t group = 0; group + 1 < bound->count; group++) {
        int64_t size = whole_at(bound, group + 1) - whole_at(bound, group);
        if (size < 0 || size >= INT32_MAX)
            return -1;
        largest = size > largest ? (Py_ssize_t)size : largest;
    }
    return largest;
}

static PyObject *number_names(PyObject *self, PyObject *arguments) {
    (void)self;
    Texts rows = {0};
    Whole bound = {0};
    Whole *wholes[] = {&bound, &rows.start, &rows.length};
    PyObject *text, *whole[3], *numbers = NULL, *answer = NULL;
    Py_ssize_t largest = 0, count = 0;
    uint64_t *table = NULL;
    int plain = 1;
    if (!PyArg_ParseTuple(arguments, "OOOO", &whole[0], &text, &whole[1], &whole[2]))
        return NULL;
    if (PyObject_GetBuffer(text, &rows.text, PyBUF_SIMPLE) < 0)
        return NULL;
    for (int place = 0; place < 3; place++) {
        int fit = take_whole(whole[place], wholes[place]);
        if (fit < 0)
            goto done;
        plain = plain && fit;
    }
    plain = plain && rows.start.count == rows.length.count && (largest = largest_group(&bound, rows.start.count)) >= 0;
    if (plain) {
        if ((numbers = make_bytes(rows.start.count, 8)) == NULL)
            goto done;
        int64_t *number = (int64_t *)PyByteArray_AsString(numbers);
        table = malloc(slots_for(largest) * sizeof(uint64_t));
        Py_BEGIN_ALLOW_THREADS plain = table != NULL && number_groups(&bound, &rows, table, number, &count);
        Py_END_ALLOW_THREADS
    }
    answer = plain ? Py_BuildValue("(On)", numbers, count) : Py_NewRef(Py_None);
done:
    free(table);
    Py_XDECREF(numbers);
    PyBuffer_Release(&rows.text);
    for (int place = 0; place < 3; place++) /* a buffer that was not taken has no owner */
        PyBuffer_Release(&wholes[place]->view);
    return answer;
}

/* ---- rows against a pool ---------------------------------------------------------------------------------------- */

typedef struct {
    double score;
    const byte *text;
    int64_t length;
    Py_ssize_t place;
} Scored;

/* Better first: a higher score, then the greater name by bytes, as trec_eval has it. */
static int compare(const void *one, const void *other) {
    const Scored *a = one, *b = other;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    int64_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(b->text, a->text, (size_t)shorter);
    return order ? order : (a->length < b->length) - (a->length > b->length);
}

typedef struct {
    Texts rows, pool;
    Whole bound, code, begin; /* first row of each topic of the run; its place in the pool; first entry of each there */
    Py_buffer score;
    uint64_t *table; /* hash above, row + 1 below */
    int64_t *rank;
    Scored *scored;
    int64_t *hit; /* topic, rank, entry */
    Py_ssize_t hits;
} Matching;

/* Ranks of a topic's rows, from 1; sorted only where they do not come in order. */
static int rank_topic(const Matching *of, Py_ssize_t first, Py_ssize_t last) {
    const double *score = of->score.buf;
    Py_ssize_t row = first + 1;
    while (row < last && score[row - 1] > score[row])
        row++;
    if (row >= last) {
        for (row = first; row < last; row++)
            of->rank[row - first] = row - first + 1;
        return 1;
    }
    for (row = first; row < last; row++) {
        Scored *one = of->scored + (row - first);
        one->score = score[row];
        one->place = row - first;
        one->text = text_at(&of->rows, row, &one->length);
        if (one->score != one->score)
            return 0;
    }
    qsort(of->scored, (size_t)(last - first), sizeof(Scored), compare);
    for (row = first; row < last; row++)
        of->rank[of->scored[row - first].place] = row - first + 1;
    return 1;
}

static int match_topic(Matching *of, Py_ssize_t place) {
    Py_ssize_t first = (Py_ssize_t)whole_at(&of->bound, place), last = (Py_ssize_t)whole_at(&of->bound, place + 1);
    int64_t code = whole_at(&of->code, place), length;
    size_t mask = slots_for(last - first) - 1, slot;
    const byte *rows_end = (const byte *)of->rows.text.buf + of->rows.text.len;
    const byte *pool_end = (const byte *)of->pool.text.buf + of->pool.text.len;
    memset(of->table, 0, (mask + 1) * sizeof(uint64_t));
    for (Py_ssize_t row = first; row < last; row++) {
        const byte *text = text_at(&of->rows, row, &length);
        if (text == NULL)
            return 0;
        uint64_t hash = hash_text(text, length, rows_end);
        if (find_row(of->table, mask, &of->rows, first, text, length, hash, &slot) != ABSENT)
            return 0;
        of->table[slot] = make_slot(hash, row - first);
    }
    if (code < 0)
        return 1;
    if (code + 1 >= of->begin.count || !rank_topic(of, first, last))
        return 0;
    int64_t entry = whole_at(&of->begin, (Py_ssize_t)code), end = whole_at(&of->begin, (Py_ssize_t)code + 1);
    if (entry < 0 || end > of->pool.start.count)
        return 0;
    for (; entry < end; entry++) {
        const byte *text = text_at(&of->pool, (Py_ssize_t)entry, &length);
        if (text == NULL)
            return 0;
        int found = find_row(of->table, mask, &of->rows, first, text, length, hash_text(text, length, pool_end), &slot);
        if (found == UNLUCKY)
            return 0;
        if (found == THERE) {
            int64_t *hit = of->hit + 3 * of->hits++;
            hit[0] = code;
            hit[1] = of->rank[(uint32_t)of->table[slot] - 1];
            hit[2] = entry;
        }
    }
    return 1;
}

/* Whether the arrays fit together; the rows of the largest topic, and how many hits there may be. */
static int check_matching(const Matching *of, Py_ssize_t *largest, Py_ssize_t *most) {
    Py_ssize_t rows = of->score.len / (Py_ssize_t)sizeof(double), topics = of->code.count;
    if (of->rows.start.count != rows || of->rows.length.count != rows || of->bound.count != topics + 1 ||
        of->pool.start.count != of->pool.length.count || (*largest = largest_group(&of->bound, rows)) < 0)
        return 0;
    *most = 0;
    for (Py_ssize_t place = 0; place < topics; place++) {
        int64_t code = whole_at(&of->code, place);
        if (code >= 0) {
            int64_t judged = code + 1 < of->begin.count ? whole_at(&of->begin, (Py_ssize_t)code + 1) : -1;
            judged -= judged < 0 ? 0 : whole_at(&of->begin, (Py_ssize_t)code);
            if (judged < 0 || judged > of->pool.start.count || *most > PY_SSIZE_T_MAX / 48)
                return 0;
            *most += (Py_ssize_t)judged;
        }
    }
    return 1;
}

static int match_all(Matching *of, Py_ssize_t largest) {
    size_t size = (size_t)largest;
    int plain = 0;
    of->table = malloc(slots_for(largest) * sizeof(uint64_t));
    of->rank = malloc((size + 1) * sizeof(int64_t));
    of->scored = malloc((size + 1) * sizeof(Scored));
    if (of->table != NULL && of->rank != NULL && of->scored != NULL) {
        plain = 1;
        for (Py_ssize_t place = 0; plain && place < of->code.count; place++)
            plain = match_topic(of, place);
    }
    free(of->table);
    free(of->rank);
    free(of->scored);
    return plain;
}

static PyObject *rank_hits(PyObject *self, PyObject *arguments) {
    (void)self;
    Matching of = {0};
    Py_buffer *bytes[] = {&of.rows.text, &of.score, &of.pool.text};
    Whole *wholes[] = {&of.rows.start, &of.rows.length, &of.bound, &of.code, &of.pool.start, &of.pool.length, &of.begin};
    PyObject *raw[3], *whole[7], *hits = NULL, *answer = NULL;
    Py_ssize_t largest, most;
    int plain = 1;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOOO", &raw[0], &whole[0], &whole[1], &raw[1], &whole[2], &whole[3], &raw[2],
                          &whole[4], &whole[5], &whole[6]))
        return NULL;
    for (int place = 0; place < 3; place++)
        if (PyObject_GetBuffer(raw[place], bytes[place], PyBUF_SIMPLE) < 0)
            goto done;
    for (int place = 0; place < 7; place++) {
        int fit = take_whole(whole[place], wholes[place]);
        if (fit < 0)
            goto done;
        plain = plain && fit;
    }
    plain = plain && check_matching(&of, &largest, &most);
    if (plain) {
        if ((hits = make_bytes(most, 24)) == NULL)
            goto done;
        of.hit = (int64_t *)PyByteArray_AsString(hits);
        Py_BEGIN_ALLOW_THREADS plain = match_all(&of, largest);
        Py_END_ALLOW_THREADS
        if (plain && PyByteArray_Resize(hits, of.hits * 24) < 0)
            goto done;
    }
    answer = Py_NewRef(plain ? hits : Py_None);
done:
    Py_XDECREF(hits);
    for (int place = 0; place < 3; place++) /* a buffer that was not taken has no owner */
        PyBuffer_Release(bytes[place]);
    for (int place = 0; place < 7; place++)
        PyBuffer_Release(&wholes[place]->view);
    return answer;
}

/* ---- dicts against a pool --------------------------------------------------------------------------------------- */

/* The bytes of a name that is text without blanks; NULL for any other, never with an exception. */
static const byte *plain_name(PyObject *name, Py_ssize_t *length) {
    if (!PyUnicode_Check(name))
        return NULL;
    const byte *text = (const byte *)PyUnicode_AsUTF8AndSize(name, length);
    if (text == NULL) {
        PyErr_Clear();
        return NULL;
    }
    for (Py_ssize_t at = 0; at < *length; at++)
        if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))
            return NULL;
    return *length ? text : NULL;
}

static int plain_number(PyObject *value, double *number) {
    if (!PyFloat_Check(value) && !PyLong_CheckExact(value)) /* what derives from int may run code of its own */
        return 0;
    *number = PyFloat_AsDouble(value);
    if (*number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return *number == *number;
}

static int compare_numbers(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a < b) - (a > b);
}

/* How many of these descending numbers are above (or, with `equal`, not below) this one. */
static Py_ssize_t count_above(const double *sorted, Py_ssize_t count, double number, int equal) {
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (sorted[middle] > number || (equal && sorted[middle] == number))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of names with this score, how many are greater by bytes. */
static Py_ssize_t count_greater(PyObject *scores, double number, PyObject *name) {
    PyObject *other, *value;
    Py_ssize_t at = 0, count = 0, length, other_length;
    double score;
    const byte *text = plain_name(name, &length);
    while (text != NULL && PyDict_Next(scores, &at, &other, &value)) {
        if (!plain_number(value, &score) || score != number)
            continue;
        const byte *theirs = plain_name(other, &other_length);
        if (theirs == NULL)
            continue;
        int order = memcmp(theirs, text, (size_t)(length < other_length ? length : other_length));
        count += order > 0 || (order == 0 && other_length > length);
    }
    return count;
}

#define MOST_TIED 50 /* hits of a topic with equal scores; sorting names is better for more */

static int rank_dict(PyObject *scores, PyObject *entries, double *sorted, int64_t *hit, Py_ssize_t *hits) {
    PyObject *name, *value;
    Py_ssize_t at = 0, length, count = 0, tied = 0;
    int ordered = 1;
    double number;
    while (PyDict_Next(scores, &at, &name, &value)) {
        if (plain_name(name, &length) == NULL || !plain_number(value, &sorted[count]))
            return 0;
        ordered = ordered && (count == 0 || sorted[count - 1] >= sorted[count]);
        count++;
    }
    if (!ordered)
        qsort(sorted, (size_t)count, sizeof(double), compare_numbers);
    for (at = 0; PyDict_Next(entries, &at, &name, &value);) {
        PyObject *score = PyDict_GetItemWithError(scores, name);
        if (score == NULL) {
            if (PyErr_Occurred())
                return -1;
            continue;
        }
        if (!plain_number(score, &number))
            return 0;
        Py_ssize_t above = count_above(sorted, count, number, 0);
        if (above + 1 < count && sorted[above + 1] == number) {
            if (++tied > MOST_TIED)
                return 0;
            above += count_greater(scores, number, name);
        }
        int64_t entry = PyLong_AsLongLong(value);
        if (entry == -1 && PyErr_Occurred())
            return -1;
        hit[2 * *hits] = above + 1;
        hit[2 * (*hits)++ + 1] = entry;
    }
    return 1;
}

static PyObject *match_dict(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *scores, *entries, *found, *answer = NULL;
    Py_ssize_t hits = 0;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyDict_Type, &scores, &PyDict_Type, &entries))
        return NULL;
    Py_ssize_t rows = PyDict_Size(scores), most = PyDict_Size(entries);
    if ((found = make_bytes(most, 16)) == NULL)
        return NULL;
    double *sorted = malloc(((size_t)rows + 1) * sizeof(double));
    int plain = sorted == NULL ? 0 : rank_dict(scores, entries, sorted, (int64_t *)PyByteArray_AsString(found), &hits);
    free(sorted);
    if (plain > 0 && PyByteArray_Resize(found, hits * 16) == 0)
        answer = Py_NewRef(found);
    else if (plain == 0)
        answer = Py_NewRef(Py_None);
    Py_DECREF(found);
    return answer;
}

/* ---- the module ------------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"split_block", split_block, METH_VARARGS, PyDoc_STR("Columns of a plain block of a run or qrels, or None.")},
    {"number_names", number_names, METH_VARARGS, PyDoc_STR("Numbers for the distinct names of each group, or None.")},
    {"rank_hits", rank_hits, METH_VARARGS, PyDoc_STR("Where the rows of a run put the documents of a pool, or None.")},
    {"match_dict", match_dict, METH_VARARGS, PyDoc_STR("Ranks and entries of a topic's documents in dicts, or None.")},
    {NULL, NULL, 0, NULL},
};

static int prepare(PyObject *module) {
    fill_kinds();
    return PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)prepare}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", PyDoc_STR("The compiled reader; see _kernel.c."), 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
