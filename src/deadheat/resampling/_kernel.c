/* Counts of types in resamples: the compiled twin of counts.py, tables.py and units.py.
 *
 * It reads the same raw words in the same order and does the same whole-number arithmetic, so that
 * every bit is that of the NumPy twin, whose files define the streams. What differs is only that a
 * rejected attempt is overwritten at once. Stable ABI of Python 3.11; no intrinsics; the lock of
 * the interpreter is released while it draws.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>

enum { GUIDE_BITS = 12, LANE_BITS = 16 };

/* Which attempts are resamples, see counts.py. */
enum { EVERY = 0, TOPPED_UP = 1, REMAINDER = 2 };

/* Columns of the description of a run of types of equal multiplicity. */
enum { START, STOP, KIND, GUIDE, FIRST_THRESHOLD, END_THRESHOLD, FIRST_COUNT, RUN_SIZE };
enum { COIN = 0, NARROW = 1, WIDE = 2 };

/* Places in `words`: the states of three streams, and the half of a word that is left. */
enum { MAIN = 0, MORE = 4, UNITS = 8, HAS_HALF = 12, HALF = 13, N_WORDS = 14 };

typedef struct {
    uint64_t *words;
    const int64_t *runs;
    Py_ssize_t n_runs;
    const int16_t *guide;
    const uint64_t *thresholds;
    int mode;
    int64_t n;
    int64_t least;
    const uint64_t *acceptance;
    int64_t n_acceptance;
    const int32_t *owners;
    const int64_t *past;
    int64_t n_types;
    int shift;
} Plan;

/* The generator SFC64 (Doty-Humphrey), as NumPy's. */
static inline uint64_t next_word(uint64_t *s)
{
    const uint64_t word = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ (s[1] >> 11);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 24) | (s[2] >> 40)) + word;
    return word;
}

/* One step of the hash of NumPy's SeedSequence (O'Neill's seed_seq_fe); the constant moves on. */
static inline uint32_t hashed(uint32_t value, uint32_t *constant, uint32_t multiplier)
{
    value ^= *constant;
    *constant *= multiplier;
    value *= *constant;
    return value ^ (value >> 16);
}

static inline uint32_t mixed(uint32_t one, uint32_t other)
{
    const uint32_t value = UINT32_C(0xCA01F9DD) * one - UINT32_C(0x4973F715) * other;
    return value ^ (value >> 16);
}

/* The state of SFC64(SeedSequence) for entropy of `n` words, at least four, as NumPy makes it. */
static void seed_state(const uint32_t *entropy, Py_ssize_t n, uint64_t *state)
{
    uint32_t pool[4], constant = UINT32_C(0x43B0D7E5);
    for (int at = 0; at < 4; at++)
        pool[at] = hashed(entropy[at], &constant, UINT32_C(0x931E8875));
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++)
            if (from != to)
                pool[to] = mixed(pool[to], hashed(pool[from], &constant, UINT32_C(0x931E8875)));
    for (Py_ssize_t from = 4; from < n; from++)
        for (int to = 0; to < 4; to++)
            pool[to] = mixed(pool[to], hashed(entropy[from], &constant, UINT32_C(0x931E8875)));
    constant = UINT32_C(0x8B51F9DD);
    for (int at = 0; at < 3; at++) {
        const uint32_t low = hashed(pool[2 * at & 3], &constant, UINT32_C(0x58F38DED));
        const uint32_t high = hashed(pool[(2 * at + 1) & 3], &constant, UINT32_C(0x58F38DED));
        state[at] = (uint64_t)high << 32 | low;
    }
    state[3] = 1;
    for (int round = 0; round < 12; round++)
        next_word(state);
}

/* The count of a lane that its leading bits leave open. */
static int64_t settled(const Plan *plan, const int64_t *run, uint64_t lane, int64_t least)
{
    const uint64_t word = (lane << 48) | (next_word(plan->words + MORE) >> 16);
    int64_t at = run[FIRST_THRESHOLD] + least - run[FIRST_COUNT];
    while (at < run[END_THRESHOLD] && plan->thresholds[at] <= word)
        at++;
    return at - run[FIRST_THRESHOLD] + run[FIRST_COUNT];
}

/* The number of thresholds that do not exceed a word, and the least count. */
static int64_t looked_up(const Plan *plan, const int64_t *run, uint64_t word)
{
    int64_t low = run[FIRST_THRESHOLD], high = run[END_THRESHOLD];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (plan->thresholds[middle] <= word)
            low = middle + 1;
        else
            high = middle;
    }
    return low - run[FIRST_THRESHOLD] + run[FIRST_COUNT];
}

static int64_t next_unit(const Plan *plan)
{
    uint64_t *words = plan->words;
    const uint64_t n = (uint64_t)plan->n;
    const uint32_t uneven = (uint32_t)((UINT64_C(1) << 32) % n);
    for (;;) {
        uint64_t half;
        if (words[HAS_HALF]) {
            half = words[HALF];
            words[HAS_HALF] = 0;
        } else {
            const uint64_t word = next_word(words + UNITS);
            half = word & UINT64_C(0xFFFFFFFF);
            words[HALF] = word >> 32;
            words[HAS_HALF] = 1;
        }
        const uint64_t product = half * n;
        if ((uint32_t)product >= uneven)
            return (int64_t)(product >> 32);
    }
}

/* The type of a unit: the first whose cumulated multiplicity exceeds it. */
static int64_t owner(const Plan *plan, int64_t unit)
{
    const int32_t known = plan->owners[unit >> plan->shift];
    if (known >= 0)
        return known;
    int64_t low = 0, high = plan->n_types;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (plan->past[middle] <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One attempt, and one function for each type of number that counts are kept in. */
#define DEFINE_DRAWS(NUMBER)                                                                       \
    static int64_t attempt_##NUMBER(const Plan *plan, NUMBER *row)                                 \
    {                                                                                              \
        uint64_t state[4] = {plan->words[MAIN], plan->words[MAIN + 1], plan->words[MAIN + 2],      \
                             plan->words[MAIN + 3]};                                               \
        uint64_t word = 0;                                                                         \
        int64_t total = 0;                                                                         \
        for (Py_ssize_t number = 0; number < plan->n_runs; number++) {                             \
            const int64_t *run = plan->runs + number * RUN_SIZE;                                   \
            const int64_t stop = run[STOP];                                                        \
            if (run[KIND] == WIDE) {                                                               \
                for (int64_t at = run[START]; at < stop; at++) {                                   \
                    const int64_t count = looked_up(plan, run, next_word(state));                  \
                    row[at] = (NUMBER)count;                                                       \
                    total += count;                                                                \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            const int16_t *guide = plan->guide + run[GUIDE];                                       \
            int64_t at = run[START];                                                               \
            while (at < stop) {                                                                    \
                if (run[KIND] == NARROW && !(at & 3) && at + 4 <= stop) {                          \
                    word = next_word(state);                                                       \
                    const int first = guide[(word >> 4) & 0xFFF];                                  \
                    const int second = guide[(word >> 20) & 0xFFF];                                \
                    const int third = guide[(word >> 36) & 0xFFF];                                 \
                    const int fourth = guide[word >> 52];                                          \
                    if ((first | second | third | fourth) >= 0) {                                  \
                        row[at] = (NUMBER)first;                                                   \
                        row[at + 1] = (NUMBER)second;                                              \
                        row[at + 2] = (NUMBER)third;                                               \
                        row[at + 3] = (NUMBER)fourth;                                              \
                        total += first + second + third + fourth;                                  \
                        at += 4;                                                                   \
                        continue;                                                                  \
                    }                                                                              \
                } else if (run[KIND] == COIN && !(at & 3) && at + 4 <= stop) {                     \
                    word = next_word(state);                                                       \
                    const int first = word >> 15 & 1, second = word >> 31 & 1;                     \
                    const int third = word >> 47 & 1, fourth = (int)(word >> 63);                  \
                    row[at] = (NUMBER)first;                                                       \
                    row[at + 1] = (NUMBER)second;                                                  \
                    row[at + 2] = (NUMBER)third;                                                   \
                    row[at + 3] = (NUMBER)fourth;                                                  \
                    total += first + second + third + fourth;                                      \
                    at += 4;                                                                       \
                    continue;                                                                      \
                } else if (!(at & 3)) {                                                            \
                    word = next_word(state);                                                       \
                }                                                                                  \
                const int64_t last = (at | 3) < stop ? (at | 3) + 1 : stop;                        \
                for (; at < last; at++) {                                                          \
                    const uint64_t lane = (word >> (LANE_BITS * (at & 3))) & 0xFFFF;               \
                    int64_t count = run[KIND] == COIN ? (int64_t)(lane >> (LANE_BITS - 1))         \
                                                      : guide[lane >> (LANE_BITS - GUIDE_BITS)];   \
                    if (count < 0)                                                                 \
                        count = settled(plan, run, lane, ~count);                                  \
                    row[at] = (NUMBER)count;                                                       \
                    total += count;                                                                \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int at = 0; at < 4; at++)                                                             \
            plan->words[MAIN + at] = state[at];                                                    \
        return total;                                                                              \
    }                                                                                              \
                                                                                                   \
    static void draw_##NUMBER(const Plan *plan, NUMBER *counts, Py_ssize_t rows, Py_ssize_t width) \
    {                                                                                              \
        Py_ssize_t done = 0;                                                                       \
        while (done < rows) {                                                                      \
            NUMBER *row = counts + done * width;                                                   \
            const int64_t total = attempt_##NUMBER(plan, row);                                     \
            if (plan->mode == TOPPED_UP) {                                                         \
                if (total > plan->n)                                                               \
                    continue;                                                                      \
                for (int64_t lacking = plan->n - total; lacking > 0; lacking--)                    \
                    row[owner(plan, next_unit(plan))] += 1;                                        \
            } else if (plan->mode == REMAINDER) {                                                  \
                const uint64_t word = next_word(plan->words + MAIN);                               \
                const int64_t at = total - plan->least;                                            \
                if (at < 0 || at >= plan->n_acceptance || word >= plan->acceptance[at])            \
                    continue;                                                                      \
                row[width - 1] = (NUMBER)(plan->n - total);                                        \
            }                                                                                      \
            done++;                                                                                \
        }                                                                                          \
    }

DEFINE_DRAWS(float)
DEFINE_DRAWS(double)

/* draw(counts, single, rows, width, words, runs, guide, thresholds, mode, n,
 *      least, acceptance, owners, past, shift): fill `counts` with resamples. */
static PyObject *draw(PyObject *module, PyObject *args)
{
    Py_buffer counts, words, runs, guide, thresholds, acceptance, owners, past;
    int single, mode, shift;
    Py_ssize_t rows, width;
    long long n, least;
    (void)module;
    if (!PyArg_ParseTuple(args, "w*pnnw*y*y*y*iLLy*y*y*i", &counts, &single, &rows, &width, &words,
                          &runs, &guide, &thresholds, &mode, &n, &least, &acceptance, &owners,
                          &past, &shift))
        return NULL;
    const Plan plan = {
        .words = words.buf,
        .runs = runs.buf,
        .n_runs = runs.len / (Py_ssize_t)(RUN_SIZE * sizeof(int64_t)),
        .guide = guide.buf,
        .thresholds = thresholds.buf,
        .mode = mode,
        .n = n,
        .least = least,
        .acceptance = acceptance.buf,
        .n_acceptance = acceptance.len / (Py_ssize_t)sizeof(uint64_t),
        .owners = owners.buf,
        .past = past.buf,
        .n_types = past.len / (Py_ssize_t)sizeof(int64_t),
        .shift = shift,
    };
    const Py_ssize_t size = single ? sizeof(float) : sizeof(double);
    const int fits = words.len == N_WORDS * (Py_ssize_t)sizeof(uint64_t) && rows >= 0 &&
                     width >= 0 && counts.len == rows * width * size;
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        if (single)
            draw_float(&plan, counts.buf, rows, width);
        else
            draw_double(&plan, counts.buf, rows, width);
        Py_END_ALLOW_THREADS
    } else {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    }
    Py_buffer *given[] = {&counts, &words, &runs, &guide, &thresholds, &acceptance, &owners, &past};
    for (size_t at = 0; at < sizeof given / sizeof *given; at++)
        PyBuffer_Release(given[at]);
    if (!fits)
        return NULL;
    Py_RETURN_NONE;
}

/* seed(entropy, words, at): put the state of a stream at words[at:at + 4]. */
static PyObject *seed(PyObject *module, PyObject *args)
{
    Py_buffer entropy, words;
    Py_ssize_t at;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*w*n", &entropy, &words, &at))
        return NULL;
    const Py_ssize_t n = entropy.len / (Py_ssize_t)sizeof(uint32_t);
    const int fits =
        n >= 4 && at >= 0 && at + 4 <= words.len / (Py_ssize_t)sizeof(uint64_t);
    if (fits)
        seed_state(entropy.buf, n, (uint64_t *)words.buf + at);
    else
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    PyBuffer_Release(&entropy);
    PyBuffer_Release(&words);
    if (!fits)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"seed", seed, METH_VARARGS, "Put the state of a fresh stream among words."},
    {"draw", draw, METH_VARARGS, "Fill an array with counts of types, resample by resample."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "Counts of types in resamples.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
