/*
 * Where a value may stand beside a label: the inner loops of beside.py, compiled into the module of _words.c.
 *
 * Comes in and goes out what the functions of beside.py of the same meaning take and give. `filed`, `candidates` and `kinds` are those of a
 * reading and its index; places of words, and the edges of stretches, are 32-bit numbers. Nothing here keeps state.
 */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "_beside.h"

/* the words where an entry may begin and may end at most, and its language, which the index keeps */
typedef struct {
    Py_ssize_t first, last;
    PyObject *language;
} Spot;

typedef struct {
    Spot *all;
    Py_ssize_t count, room;
} Spots;

static int add_spot(Spots *spots, Py_ssize_t first, Py_ssize_t last, PyObject *language) {
    if (spots->count == spots->room) {
        Py_ssize_t room = spots->room ? 2 * spots->room : 16;
        Spot *all = PyMem_Realloc(spots->all, (size_t)room * sizeof(Spot));
        if (all == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        spots->all = all;
        spots->room = room;
    }
    spots->all[spots->count++] = (Spot){first, last, language};
    return 0;
}

/* the spots of one entry, where it is no false friend */
static int add_entry(Spots *spots, PyObject *at, PyObject *candidates, PyObject *kinds, Py_ssize_t words) {
    PyObject *kind = kind_of(kinds, at);
    PyObject *firsts = kind == NULL ? NULL : PyDict_GetItemWithError(candidates, at);
    if (firsts == NULL) {
        if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, at);
        return -1;
    }
    PyObject *friend = PyTuple_GetItem(kind, 1), *width = PyTuple_GetItem(kind, 3), *language = PyTuple_GetItem(kind, 4);
    if (friend == NULL || width == NULL || language == NULL) return -1;
    if (friend == Py_True) return 0;
    Py_ssize_t most = PyLong_AsSsize_t(width), n = PyList_Size(firsts);
    if (n < 0 || PyErr_Occurred()) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t first = PyLong_AsSsize_t(PyList_GetItem(firsts, i));
        if (first < 0 || first >= words) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no word has that number");
            return -1;
        }
        if (add_spot(spots, first, first + most - 1, language)) return -1;
    }
    return 0;
}

/* Reading.spots, of some lexicons */
static int add_spots_of(Spots *spots, PyObject *wanted, PyObject *filed, PyObject *candidates, PyObject *kinds,
                        Py_ssize_t words) {
    PyObject *each = PyObject_GetIter(wanted), *lexicon;
    if (each == NULL) return -1;
    int failed = 0;
    while (!failed && (lexicon = PyIter_Next(each)) != NULL) {
        PyObject *entries = PyDict_GetItemWithError(filed, lexicon);
        Py_DECREF(lexicon);
        failed = entries == NULL && PyErr_Occurred();
        for (Py_ssize_t i = 0, n = entries == NULL ? 0 : PyList_Size(entries); i < n && !failed; i++)
            failed = add_entry(spots, PyList_GetItem(entries, i), candidates, kinds, words);
    }
    Py_DECREF(each);
    return failed || PyErr_Occurred() ? -1 : 0;
}

/* ---- the text -------------------------------------------------------------------------------------------- */

/* the places of words, and the stretches of the text: where they begin, and whether they may hold cells */
typedef struct {
    Py_buffer starts, ends, edges, cells;
    int held; /* how many of them are held */
    Py_ssize_t words, stretches;
} Text;

static void let_go(Text *text) {
    Py_buffer *all[] = {&text->starts, &text->ends, &text->edges, &text->cells};
    while (text->held > 0) PyBuffer_Release(all[--text->held]);
}

static int hold(Text *text, PyObject *starts, PyObject *ends, PyObject *edges, PyObject *cells) {
    PyObject *from[] = {starts, ends, edges, cells};
    Py_buffer *all[] = {&text->starts, &text->ends, &text->edges, &text->cells};
    for (text->held = 0; text->held < 4; text->held++)
        if (PyObject_GetBuffer(from[text->held], all[text->held], PyBUF_SIMPLE)) {
            let_go(text);
            return -1;
        }
    text->words = text->starts.len / (Py_ssize_t)sizeof(uint32_t);
    text->stretches = text->edges.len / (Py_ssize_t)sizeof(uint32_t);
    if (text->ends.len == text->starts.len && text->cells.len == text->stretches && text->stretches > 0) return 0;
    let_go(text);
    PyErr_SetString(PyExc_ValueError, "these are not the words and stretches of one text");
    return -1;
}

static Py_ssize_t number_at(const Py_buffer *numbers, Py_ssize_t at) { return ((const uint32_t *)numbers->buf)[at]; }

/* the number of the stretch that holds a place */
static Py_ssize_t stretch_of(const Text *text, Py_ssize_t place) {
    Py_ssize_t low = 0, high = text->stretches;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (place < number_at(&text->edges, middle)) high = middle;
        else low = middle + 1;
    }
    return low > 0 ? low - 1 : 0;
}

static int may_hold_cells(const Text *text, Py_ssize_t stretch) { return ((const char *)text->cells.buf)[stretch]; }

/* ---- the questions --------------------------------------------------------------------------------------- */

/* entries.ANY_LANGUAGE */
static int is_any(PyObject *language) { return PyUnicode_CompareWithASCIIString(language, "any") == 0; }

static int is_one(const Spot *label, const Spot *value) {
    if (label->language == value->language || is_any(label->language) || is_any(value->language)) return 1;
    return PyUnicode_Compare(label->language, value->language) == 0;
}

const char is_near_doc[] = "is_near(filed, candidates, kinds, labels, values, within, starts, ends, edges, cells)\n--\n\n"
    "beside._is_near: whether a word of some lexicons may stand as near a label as it must, or in a record with it.";

PyObject *is_near(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *filed, *candidates, *kinds, *labels, *values, *starts, *ends, *edges, *cells;
    Py_ssize_t within;
    Text text;
    if (!PyArg_ParseTuple(args, "O!O!O!OOnOOOO", &PyDict_Type, &filed, &PyDict_Type, &candidates, &PyDict_Type, &kinds,
                          &labels, &values, &within, &starts, &ends, &edges, &cells))
        return NULL;
    if (hold(&text, starts, ends, edges, cells)) return NULL;
    Spots named = {NULL, 0, 0}, told = {NULL, 0, 0};
    int failed = add_spots_of(&named, labels, filed, candidates, kinds, text.words)
        || add_spots_of(&told, values, filed, candidates, kinds, text.words);
    int held = 0;
    for (Py_ssize_t i = 0; i < named.count && !failed && !held; i++) {
        const Spot *label = &named.all[i];
        Py_ssize_t stretch = stretch_of(&text, number_at(&text.starts, label->first));
        int in_cells = may_hold_cells(&text, stretch);
        for (Py_ssize_t k = 0; k < told.count && !held; k++) {
            const Spot *value = &told.all[k];
            int is_close = value->first - label->last <= within && label->first - value->last <= within;
            held = (is_close || in_cells) && stretch_of(&text, number_at(&text.starts, value->first)) == stretch
                && is_one(label, value);
        }
        failed = PyErr_Occurred() != NULL;
    }
    PyMem_Free(named.all);
    PyMem_Free(told.all);
    let_go(&text);
    return failed ? NULL : PyBool_FromLong(held);
}

typedef struct {
    Py_ssize_t first, last;
} Part;

static int in_order(const void *one, const void *other) {
    const Part *a = one, *b = other;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return a->last < b->last ? -1 : a->last > b->last;
}

/* beside._merged: parts in order, those that touch as one; how many there are then */
static Py_ssize_t merged(Part *parts, Py_ssize_t count) {
    Py_ssize_t kept = 0;
    qsort(parts, (size_t)count, sizeof(Part), in_order);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (kept > 0 && parts[i].first <= parts[kept - 1].last) {
            if (parts[i].last > parts[kept - 1].last) parts[kept - 1].last = parts[i].last;
        } else {
            parts[kept++] = parts[i];
        }
    }
    return kept;
}

/* the parts around a label, which may stand before its value or after it; how many there are */
static Py_ssize_t parts_around(Part *parts, const Spot *label, const Text *text, Py_ssize_t length, Py_ssize_t within,
                               Py_ssize_t reach, int before, int after) {
    Py_ssize_t at = number_at(&text->starts, label->first), stretch = stretch_of(text, at), count = 0;
    int is_last = stretch + 1 == text->stretches;
    Py_ssize_t opens = number_at(&text->edges, stretch) - reach;
    Py_ssize_t closes = (is_last ? length : number_at(&text->edges, stretch + 1)) + reach;
    if (may_hold_cells(text, stretch)) {
        parts[0] = (Part){opens, closes};
        return 1;
    }
    /* a value begins at most so many words after the label ends, or ends so many before it begins */
    if (before) {
        Py_ssize_t last = label->last + within;
        if (last > text->words - 1) last = text->words - 1;
        if (last < 0) last = 0;
        Py_ssize_t end = number_at(&text->ends, last) + 2 * reach;
        parts[count++] = (Part){at - reach, end < closes ? end : closes};
    }
    if (after) {
        Py_ssize_t far = label->first - within - 1;
        Py_ssize_t first = (far >= 0 ? number_at(&text->ends, far) : 0) - 2 * reach;
        parts[count++] = (Part){first > opens ? first : opens, at + reach};
    }
    return count;
}

/* some parts of a text, a line each */
static PyObject *lines_of(PyObject *plain, Py_ssize_t length, const Part *parts, Py_ssize_t count) {
    PyObject *lines = PyList_New(0), *between = NULL, *joined = NULL;
    for (Py_ssize_t i = 0; lines != NULL && i < count; i++) {
        Py_ssize_t first = parts[i].first > 0 ? parts[i].first : 0, last = parts[i].last < length ? parts[i].last : length;
        PyObject *line = PyUnicode_Substring(plain, first, last);
        if (line == NULL || PyList_Append(lines, line)) Py_CLEAR(lines);
        Py_XDECREF(line);
    }
    if (lines != NULL) between = PyUnicode_FromString("\n");
    if (between != NULL) joined = PyUnicode_Join(between, lines);
    Py_XDECREF(lines);
    Py_XDECREF(between);
    return joined;
}

const char around_doc[] =
    "around(filed, candidates, kinds, labels, within, reach, before, after, starts, ends, edges, cells, plain)\n--\n\n"
    "beside._around: the parts of a text in which a pattern must match where its value is to stand beside a label.";

PyObject *around(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *filed, *candidates, *kinds, *labels, *starts, *ends, *edges, *cells, *plain;
    Py_ssize_t within, reach;
    int before, after;
    Text text;
    if (!PyArg_ParseTuple(args, "O!O!O!OnnppOOOOU", &PyDict_Type, &filed, &PyDict_Type, &candidates, &PyDict_Type, &kinds,
                          &labels, &within, &reach, &before, &after, &starts, &ends, &edges, &cells, &plain))
        return NULL;
    if (hold(&text, starts, ends, edges, cells)) return NULL;
    Spots named = {NULL, 0, 0};
    PyObject *joined = NULL;
    Part *parts = NULL;
    if (add_spots_of(&named, labels, filed, candidates, kinds, text.words)) goto done;
    parts = PyMem_Malloc((size_t)(2 * named.count + 1) * sizeof(Part));
    if (parts == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_ssize_t length = PyUnicode_GetLength(plain), count = 0;
    for (Py_ssize_t i = 0; i < named.count; i++)
        count += parts_around(parts + count, &named.all[i], &text, length, within, reach, before, after);
    joined = lines_of(plain, length, parts, merged(parts, count));
done:
    PyMem_Free(parts);
    PyMem_Free(named.all);
    let_go(&text);
    return joined;
}
