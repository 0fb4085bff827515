/*
 * Which entries may stand among some words, told from a flat table that is read where it lies: compiled into the module of _words.c.
 *
 * Comes in and goes out what `hits.candidates_in` takes and gives; table.py says what a table holds. Every number of it is looked at
 * before it is used as a place: a table that does not fit raises. Nothing here keeps state but a table of remainders.
 */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "_table.h"

#define LAYOUT 1
enum { SLOTS, EDGES, LETTERS, FILED, CODES, WAYS, BESIDE, SETS, MEMBERS, PARTS = 10 };
enum { ALONE, OTHER, AFTER, BEFORE };
#define SHIFT 30
#define STEM 4 /* entries.STEM and entries.END, in letters */
#define END 3
#define LONGEST 16 /* bytes that so many letters take */

static uint32_t remainders[256];

/* of CRC-32, as zlib has it */
void make_table_ready(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t rest = i;
        for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
        remainders[i] = rest;
    }
}

typedef struct {
    const uint8_t *at;
    uint32_t size; /* numbers; of the letters, bytes */
} Part;

typedef struct {
    Part part[PARTS];
    int broken;
} Table;

/* the words of a text by their numbers, 0 for one that the table does not know */
typedef struct {
    PyObject *words;
    uint32_t *numbers;
} Row;

typedef struct {
    uint32_t *all;
    size_t count, room;
} Codes;

static uint32_t raw_number(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value); /* a table need not lie at a multiple of four */
    return value;
}

static uint32_t number_at(Table *table, int part, uint32_t place) {
    if (place < table->part[part].size) return raw_number(table->part[part].at + 4 * (size_t)place);
    table->broken = 1;
    return 0;
}

static int read_table(Table *table, const Py_buffer *data) {
    size_t head = 4 * (1 + 2 * PARTS), size = (size_t)data->len;
    const uint8_t *bytes = data->buf;
    table->broken = size < head || raw_number(bytes) != LAYOUT;
    for (int part = 0; part < PARTS && !table->broken; part++) {
        uint32_t start = raw_number(bytes + 4 * (1 + 2 * part)), length = raw_number(bytes + 4 * (2 + 2 * part));
        table->broken = start > size || length > size - start;
        table->part[part] = (Part){bytes + start, part == LETTERS ? length : length / 4};
    }
    return table->broken ? -1 : 0;
}

static uint32_t crc_of(const uint8_t *text, size_t size) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) crc = remainders[(crc ^ text[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

/* the letters of a word of the table */
static const uint8_t *letters_of(Table *table, uint32_t number, size_t *size) {
    uint32_t start = number_at(table, EDGES, number - 1), end = number_at(table, EDGES, number);
    if (start > end || end > table->part[LETTERS].size) table->broken = 1;
    *size = table->broken ? 0 : end - start;
    return table->part[LETTERS].at + (table->broken ? 0 : start);
}

/* Table.number */
static uint32_t number_of_word(Table *table, const uint8_t *text, size_t size) {
    uint32_t code = crc_of(text, size), count = table->part[SLOTS].size / 2;
    uint32_t at = (uint32_t)((uint64_t)code * count >> 32);
    for (uint32_t tried = 0; tried < count; tried++, at = at + 1 == count ? 0 : at + 1) {
        uint32_t number = number_at(table, SLOTS, 2 * at + 1);
        if (!number) return 0;
        if (number_at(table, SLOTS, 2 * at) != code) continue;
        size_t own;
        const uint8_t *letters = letters_of(table, number, &own);
        if (own == size && memcmp(letters, text, size) == 0) return number;
    }
    return 0;
}

/* the letters of a word of a text; NULL without an error where it holds half of a pair, so that no table knows it */
static const uint8_t *text_of(PyObject *word, size_t *size) {
    Py_ssize_t length = 0;
    const char *text = PyUnicode_AsUTF8AndSize(word, &length);
    if (text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) PyErr_Clear();
    *size = (size_t)length;
    return (const uint8_t *)text;
}

static int add_code(Codes *codes, uint32_t code) {
    if (codes->count == codes->room) {
        size_t room = codes->room ? 2 * codes->room : 32;
        uint32_t *all = PyMem_Realloc(codes->all, room * sizeof(uint32_t));
        if (all == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        codes->all = all;
        codes->room = room;
    }
    codes->all[codes->count++] = code;
    return 0;
}

static int is_letter_start(uint8_t byte) { return (byte & 0xC0) != 0x80; }

static int in_order(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* what is filed under the stems of a word that no list holds (group 1), or under its endings (group 2) */
static int add_parts(Codes *codes, Table *table, const uint8_t *text, size_t size, int group) {
    size_t own = 0, letters = 0, wanted = group == 1 ? STEM : END;
    if (group == 1) {
        while (own < size && letters < wanted) {
            for (own++; own < size && !is_letter_start(text[own]); own++) {}
            letters++;
        }
    } else {
        while (own < size && letters < wanted)
            if (is_letter_start(text[size - ++own])) letters++;
    }
    if (letters < wanted || own > LONGEST) return 0;
    uint8_t key[1 + LONGEST];
    key[0] = (uint8_t)group;
    memcpy(key + 1, group == 1 ? text : text + size - own, own);
    uint32_t found = number_of_word(table, key, own + 1);
    if (!found) return 0;
    uint32_t first = number_at(table, FILED, found - 1), end = number_at(table, FILED, found);
    for (uint32_t i = first; i < end && !table->broken; i++) {
        uint32_t part = number_at(table, CODES, 2 * i);
        size_t length;
        const uint8_t *marked = letters_of(table, part, &length);
        if (length < 1 || --length > size) continue;
        if (memcmp(marked + 1, group == 1 ? text : text + size - length, length)) continue;
        uint32_t last = number_at(table, FILED, part);
        for (uint32_t j = number_at(table, FILED, part - 1); j < last && !table->broken; j++)
            if (add_code(codes, number_at(table, CODES, 2 * j))) return -1;
    }
    return 0;
}

static int has_bit(uint32_t bits, uint32_t number) { return number && bits >> (number & 31) & 1; }

/* whether one of a set of words stands among words first to end of a row; most are ruled out by the bits of the set */
static int any_of(Table *table, uint32_t set, uint32_t bits, const uint32_t *row, Py_ssize_t first, Py_ssize_t end) {
    for (Py_ssize_t k = first; k < end; k++) {
        if (!has_bit(bits, row[k])) continue;
        uint32_t low = number_at(table, SETS, set), high = number_at(table, SETS, set + 1);
        while (low < high && !table->broken) {
            uint32_t middle = low + (high - low) / 2, member = number_at(table, MEMBERS, middle);
            if (member == row[k]) return 1;
            if (member < row[k]) low = middle + 1;
            else high = middle;
        }
    }
    return 0;
}

/* the list of an entry gets the words where it may begin */
static int add_firsts(PyObject *found, uint32_t entry, Py_ssize_t first, Py_ssize_t last) {
    PyObject *at = PyLong_FromUnsignedLong(entry);
    PyObject *list = at == NULL ? NULL : list_of(found, at);
    int failed = list == NULL;
    for (Py_ssize_t k = first; k <= last && !failed; k++) {
        PyObject *value = PyLong_FromSsize_t(k);
        failed = value == NULL || PyList_Append(list, value);
        Py_XDECREF(value);
    }
    Py_XDECREF(at);
    return failed ? -1 : 0;
}

/* hits._add_spots for one way into an entry; `said` is the row of the word by which it is found */
static int add_way(PyObject *found, Table *table, uint32_t code, const uint32_t *row, const uint32_t *folded,
                   const uint32_t *said, Py_ssize_t n, Py_ssize_t k) {
    uint32_t how = code >> SHIFT, way = 4 * (code & ((1u << SHIFT) - 1));
    uint32_t entry = number_at(table, WAYS, way);
    if (how == ALONE) return add_firsts(found, entry, k, k);
    uint32_t condition = number_at(table, WAYS, way + 3), last = number_at(table, WAYS, way + 7);
    for (int is_first = how != OTHER; condition < last && !table->broken; condition++, is_first = 0) {
        uint32_t set = number_at(table, BESIDE, 4 * condition), bits = number_at(table, BESIDE, 4 * condition + 1);
        Py_ssize_t start = k + (int32_t)number_at(table, BESIDE, 4 * condition + 2);
        Py_ssize_t end = k + (int32_t)number_at(table, BESIDE, 4 * condition + 3) + 1;
        if (start < 0) start = 0;
        if (end > n) end = n;
        int held = any_of(table, set, bits, is_first ? said : row, start, end);
        if (!held && !is_first && folded != row) held = any_of(table, set, bits, folded, start, end);
        if (!held) return 0;
    }
    Py_ssize_t most = number_at(table, WAYS, way + 1), least = number_at(table, WAYS, way + 2);
    if (most < least || table->broken) {
        table->broken = 1;
        return 0;
    }
    if (k < least) return 0;
    return add_firsts(found, entry, k > most ? k - most : 0, k - least);
}

/* whether the word right beside word k may be one that a code asks for, as its bits tell */
static int may_be_beside(uint32_t code, uint32_t bits, const uint32_t *said, Py_ssize_t n, Py_ssize_t k) {
    uint32_t how = code >> SHIFT;
    if (how < AFTER) return 1;
    Py_ssize_t at = how == AFTER ? k + 1 : k - 1;
    return at >= 0 && at < n && has_bit(bits, said[at]);
}

/* hits._add_found for one word that no list holds, by its stems and endings */
static int add_inflected(PyObject *found, Table *table, PyObject *word, const uint32_t *row, const uint32_t *folded,
                         const uint32_t *said, Py_ssize_t n, Py_ssize_t k) {
    size_t size;
    const uint8_t *text = text_of(word, &size);
    if (text == NULL) return PyErr_Occurred() ? -1 : 0;
    Codes codes = {NULL, 0, 0};
    int failed = add_parts(&codes, table, text, size, 1) || add_parts(&codes, table, text, size, 2);
    if (codes.count > 1) qsort(codes.all, codes.count, sizeof(uint32_t), in_order);
    size_t alone = 0;
    for (size_t i = 0; i < codes.count && !failed && !table->broken; i++) {
        if (i && codes.all[i] == codes.all[i - 1]) continue;
        int hidden = 0; /* an entry that is the word alone begins there, whatever else begins with it */
        if (codes.all[i] >> SHIFT == ALONE) {
            alone = i + 1;
        } else {
            uint32_t way = 4 * (codes.all[i] & ((1u << SHIFT) - 1));
            for (size_t j = 0; j < alone && !hidden; j++)
                hidden = number_at(table, WAYS, 4 * codes.all[j]) == number_at(table, WAYS, way);
        }
        failed = !hidden && add_way(found, table, codes.all[i], row, folded, said, n, k);
    }
    PyMem_Free(codes.all);
    return failed ? -1 : 0;
}

/* hits._add_found for one word of `said` */
static int add_found(PyObject *found, Table *table, PyObject *words, const uint32_t *row, const uint32_t *folded,
                     const uint32_t *said, Py_ssize_t n, Py_ssize_t k) {
    uint32_t number = said[k];
    if (!number) return add_inflected(found, table, PyList_GetItem(words, k), row, folded, said, n, k);
    uint32_t last = number_at(table, FILED, number);
    for (uint32_t i = number_at(table, FILED, number - 1); i < last && !table->broken; i++) {
        uint32_t code = number_at(table, CODES, 2 * i), bits = number_at(table, CODES, 2 * i + 1);
        if (!may_be_beside(code, bits, said, n, k)) continue;
        if (add_way(found, table, code, row, folded, said, n, k)) return -1;
    }
    return 0;
}

/* the numbers of the words of a row; of a word that is one of another row too, the number there */
static int look_up(Table *table, PyObject *words, uint32_t *numbers, Py_ssize_t n, PyObject *others,
                   const uint32_t *known) {
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *word = PyList_GetItem(words, k);
        if (others != NULL && word == PyList_GetItem(others, k)) {
            numbers[k] = known[k];
            continue;
        }
        size_t size;
        const uint8_t *text = text_of(word, &size);
        if (text == NULL && PyErr_Occurred()) return -1;
        numbers[k] = text == NULL ? 0 : number_of_word(table, text, size);
    }
    return table->broken ? -1 : 0;
}

/* the lists of a dict, each in order and every number once */
static int each_in_order(PyObject *found) {
    PyObject *at, *list;
    Py_ssize_t place = 0;
    while (PyDict_Next(found, &place, &at, &list)) {
        if (PyList_Size(list) < 2) continue;
        PyObject *set = PySet_New(list);
        PyObject *once = set == NULL ? NULL : PySequence_List(set);
        int failed = once == NULL || PyList_Sort(once) || PyList_SetSlice(list, 0, PyList_Size(list), once);
        Py_XDECREF(set);
        Py_XDECREF(once);
        if (failed) return -1;
    }
    return 0;
}

/* what is found by words with marks as they are without, and by the words beside them */
static int add_unmarked(PyObject *found, Table *table, PyObject *row, PyObject *folded, const uint32_t *numbers,
                        const uint32_t *bare, Py_ssize_t n) {
    Py_ssize_t done = -1;
    int marked = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *word = PyList_GetItem(row, k), *other = PyList_GetItem(folded, k);
        int differ = word != other && PyUnicode_Compare(word, other);
        if (PyErr_Occurred()) return -1;
        if (!differ) continue;
        marked = 1;
        for (Py_ssize_t at = k - 1 > done ? k - 1 : done + 1; at <= k + 1 && at < n; at++) {
            if (at < 0) continue;
            if (add_found(found, table, folded, numbers, bare, bare, n, at)) return -1;
            done = at;
        }
    }
    return marked ? each_in_order(found) : 0;
}

const char candidates_doc[] = "tabled(table, row, folded)\n--\n\n"
    "hits.candidates_in: which entries, by number, may stand among these words, and where they begin.";

PyObject *candidates(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *from, *row, *folded, *found = NULL;
    Py_buffer data;
    Table table;
    if (!PyArg_ParseTuple(args, "OO!O!", &from, &PyList_Type, &row, &PyList_Type, &folded)) return NULL;
    Py_ssize_t n = PyList_Size(row);
    if (n != PyList_Size(folded)) {
        PyErr_SetString(PyExc_ValueError, "two rows of one length are needed");
        return NULL;
    }
    if (PyObject_GetBuffer(from, &data, PyBUF_SIMPLE)) return NULL;
    uint32_t *numbers = PyMem_Malloc(((size_t)n * 2 + 1) * sizeof(uint32_t)), *bare = numbers;
    int failed = numbers == NULL || read_table(&table, &data) || look_up(&table, row, numbers, n, NULL, NULL);
    if (!failed && folded != row) {
        bare = numbers + n;
        failed = look_up(&table, folded, bare, n, row, numbers);
    }
    found = failed ? NULL : PyDict_New();
    failed = found == NULL;
    for (Py_ssize_t k = 0; k < n && !failed && !table.broken; k++)
        failed = add_found(found, &table, row, numbers, bare, numbers, n, k);
    failed = failed || (folded != row && add_unmarked(found, &table, row, folded, numbers, bare, n));
    if (failed || table.broken) {
        Py_CLEAR(found);
        if (numbers == NULL) PyErr_NoMemory();
        else if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "this is no table of words");
    }
    PyMem_Free(numbers);
    PyBuffer_Release(&data);
    return found;
}
