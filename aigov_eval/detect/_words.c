/*
 * The words of a text, and the entries that stand there: the inner loops of hits.py and matching.py, compiled.
 *
 * Comes in and goes out what the functions of hits.py, matching.py and views.py of the same meaning take and give; `native.py`
 * chooses between the two, and the tests hold them to the same results. Only the limited API is used, so that one
 * wheel serves every later Python. Nothing here keeps state but the names of attributes.
 */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "_beside.h"
#include "_table.h"

#define WHOLE_WORD 4 /* letters of a word that is hardly short for another: matching.py */

static PyObject *name_forms, *name_stems, *name_ends, *name_gap, *name_optional, *name_phrases;
static PyObject *name_slots, *name_fold, *name_isupper;

/* ---- splitting ------------------------------------------------------------------------------------------- */

static int is_ascii_word(Py_UCS4 c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

/* a letter of the Latin alphabets: what views._FOREIGN lets pass */
static int is_latin(Py_UCS4 c) {
    return (c >= 0xC0 && c <= 0xD6) || (c >= 0xD8 && c <= 0xF6) || (c >= 0xF8 && c <= 0x24F);
}

/* views._SIGNS: punctuation, currency, arrows, frames, emoji */
static int is_sign(Py_UCS4 c) {
    return (c >= 0xA0 && c <= 0xA9) || (c >= 0xAB && c <= 0xB1) || c == 0xB4 || (c >= 0xB6 && c <= 0xB8)
        || c == 0xBB || c == 0xBF || c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c <= 0x206F)
        || (c >= 0x209D && c <= 0x20CF) || (c >= 0x218A && c <= 0x245F) || (c >= 0x2500 && c <= 0x2775)
        || (c >= 0x2794 && c <= 0x2BFF) || (c >= 0x1F300 && c <= 0x1FAFF);
}

/* the words of a light text of ASCII; places are appended to both arrays */
static Py_ssize_t split_ascii(PyObject *words, const char *text, Py_ssize_t size, uint32_t *starts, uint32_t *ends) {
    Py_ssize_t count = 0, at = 0;
    while (at < size) {
        while (at < size && !is_ascii_word((unsigned char)text[at])) at++;
        if (at == size) break;
        Py_ssize_t first = at;
        while (at < size && is_ascii_word((unsigned char)text[at])) at++;
        PyObject *word = PyUnicode_FromStringAndSize(text + first, at - first);
        if (word == NULL) return -1;
        int failed = PyList_Append(words, word);
        Py_DECREF(word);
        if (failed) return -1;
        starts[count] = (uint32_t)first;
        ends[count++] = (uint32_t)at;
    }
    return count;
}

/* the same of any text; -2 where it holds a character of which only the regular expression tells */
static Py_ssize_t split_latin(PyObject *words, PyObject *folded, PyObject *fold, PyObject *light, const Py_UCS4 *text,
                              Py_ssize_t size, uint32_t *starts, uint32_t *ends) {
    Py_ssize_t count = 0, at = 0;
    while (at < size) {
        while (at < size && !is_ascii_word(text[at]) && !is_latin(text[at])) {
            if (text[at] >= 0x80 && !is_sign(text[at])) return -2;
            at++;
        }
        if (at == size) break;
        Py_ssize_t first = at;
        int marked = 0;
        while (at < size && (is_ascii_word(text[at]) || is_latin(text[at]))) marked |= text[at++] >= 0x80;
        PyObject *word = PyUnicode_Substring(light, first, at);
        if (word == NULL) return -1;
        PyObject *bare = marked ? PyObject_CallFunctionObjArgs(fold, word, NULL) : Py_NewRef(word);
        int failed = bare == NULL || PyList_Append(words, word) || PyList_Append(folded, bare);
        Py_DECREF(word);
        Py_XDECREF(bare);
        if (failed) return -1;
        starts[count] = (uint32_t)first;
        ends[count++] = (uint32_t)at;
    }
    return count;
}

PyDoc_STRVAR(split_doc, "split(light, is_ascii, fold)\n--\n\n"
    "The words of a light text, the same without marks, where each starts and ends (32-bit numbers as bytes);\n"
    "None for a text of which views.WORD must tell the words.");

static PyObject *split(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *light, *fold;
    int is_ascii;
    if (!PyArg_ParseTuple(args, "UpO", &light, &is_ascii, &fold)) return NULL;
    Py_ssize_t length = PyUnicode_GetLength(light), size = 0, count;
    if (length < 0) return NULL;
    if ((uint64_t)length >= UINT32_MAX) Py_RETURN_NONE;
    PyObject *result = NULL, *folded = NULL, *words = PyList_New(0);
    uint32_t *starts = PyMem_Malloc(((size_t)length / 2 + 1) * sizeof(uint32_t) * 2);
    if (words == NULL || starts == NULL) {
        if (starts == NULL) PyErr_NoMemory();
        goto done;
    }
    uint32_t *ends = starts + (length / 2 + 1);
    if (is_ascii) {
        const char *text = PyUnicode_AsUTF8AndSize(light, &size);
        if (text == NULL || size != length) {
            if (text != NULL) PyErr_SetString(PyExc_ValueError, "the text is not ASCII");
            goto done;
        }
        count = split_ascii(words, text, size, starts, ends);
        folded = Py_NewRef(words);
    } else {
        Py_UCS4 *text = PyUnicode_AsUCS4Copy(light);
        folded = text == NULL ? NULL : PyList_New(0);
        count = folded == NULL ? -1 : split_latin(words, folded, fold, light, text, length, starts, ends);
        PyMem_Free(text);
        if (count == -2) result = Py_NewRef(Py_None);
    }
    if (count < 0) goto done;
    result = Py_BuildValue("(OOy#y#)", words, folded, (char *)starts, count * (Py_ssize_t)sizeof(uint32_t),
                           (char *)ends, count * (Py_ssize_t)sizeof(uint32_t));
done:
    PyMem_Free(starts);
    Py_XDECREF(words);
    Py_XDECREF(folded);
    return result;
}

/* ---- looking up ------------------------------------------------------------------------------------------ */

/* the list of a number in a dict, made where there is none; borrowed */
PyObject *list_of(PyObject *found, PyObject *at) {
    PyObject *list = PyDict_GetItemWithError(found, at);
    if (list != NULL || PyErr_Occurred()) return list;
    list = PyList_New(0);
    if (list == NULL) return NULL;
    int failed = PyDict_SetItem(found, at, list);
    Py_DECREF(list); /* the dict keeps it */
    return failed ? NULL : list;
}

/* of what kind an entry is; one of a table is looked up by the dict itself. Borrowed: the dict keeps it */
PyObject *kind_of(PyObject *kinds, PyObject *at) {
    PyObject *kind = PyDict_GetItemWithError(kinds, at);
    if (kind != NULL || PyErr_Occurred()) return kind;
    PyObject *own = PyObject_GetItem(kinds, at);
    Py_XDECREF(own);
    return own == NULL ? NULL : PyDict_GetItemWithError(kinds, at);
}

PyDoc_STRVAR(exact_doc, "exact(candidates, kinds)\n--\n\nThe candidates that mind the letter case, in order.");

static PyObject *exact(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *found, *kinds, *at, *spots;
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &found, &PyDict_Type, &kinds)) return NULL;
    PyObject *chosen = PyList_New(0);
    Py_ssize_t place = 0;
    while (chosen != NULL && PyDict_Next(found, &place, &at, &spots)) {
        PyObject *kind = kind_of(kinds, at);
        PyObject *minds = kind == NULL ? NULL : PyTuple_GetItem(kind, 2);
        if (minds == NULL || (minds == Py_True && PyList_Append(chosen, at))) Py_CLEAR(chosen);
    }
    return chosen;
}

PyDoc_STRVAR(filed_doc, "filed(candidates, kinds)\n--\n\n"
    "hits.filed_by_lexicon: candidates by lexicon, and the lexicons of which one is no false friend.");

static PyObject *filed(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *found, *kinds, *at, *spots;
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &found, &PyDict_Type, &kinds)) return NULL;
    PyObject *by_lexicon = PyDict_New(), *told = PySet_New(NULL), *result = NULL;
    if (by_lexicon == NULL || told == NULL) goto done;
    Py_ssize_t place = 0;
    while (PyDict_Next(found, &place, &at, &spots)) {
        PyObject *kind = kind_of(kinds, at);
        if (kind == NULL) goto done;
        PyObject *lexicon = PyTuple_GetItem(kind, 0);
        PyObject *list = lexicon == NULL ? NULL : list_of(by_lexicon, lexicon);
        if (list == NULL || PyList_Append(list, at)) goto done;
        if (PyTuple_GetItem(kind, 1) == Py_False && PySet_Add(told, lexicon)) goto done;
    }
    PyObject *lexicons = PyFrozenSet_New(told);
    if (lexicons != NULL) result = Py_BuildValue("(ON)", by_lexicon, lexicons);
done:
    Py_XDECREF(by_lexicon);
    Py_XDECREF(told);
    return result;
}

/* ---- matching in place ----------------------------------------------------------------------------------- */

typedef struct {
    PyObject *words, *folded, *plain;
    const uint32_t *starts, *ends;
    Py_ssize_t count, length;
    int fold_too;
} Text;

#define NO_MATCH (-1)
#define FAILED (-2)

static int is_blank(Py_UCS4 c) { return c == ' ' || c == '\t'; }

/* matching._BETWEEN and matching._BETWEEN_FREE, of all that stands between two words */
static int may_be_between(const Text *text, Py_ssize_t start, Py_ssize_t end, int is_free) {
    Py_UCS4 c[7];
    Py_ssize_t n = end - start;
    if (n < 1 || n > 7) return 0;
    for (Py_ssize_t i = 0; i < n; i++) c[i] = PyUnicode_ReadChar(text->plain, start + i);
    if (n <= 4) {
        Py_ssize_t i = 0;
        while (i < n) {
            int fits = is_blank(c[i]) || c[i] == '-' || c[i] == '\'' || c[i] == 0x2019 || c[i] == '/' || c[i] == '&'
                || c[i] == '"' || c[i] == '*' || c[i] == '_';
            if (!fits) fits = is_free ? c[i] == ',' || c[i] == '(' || c[i] == ')' || c[i] == ':' : c[i] == '.';
            if (!fits) break;
            i++;
        }
        if (i == n) return 1;
    }
    if (is_free && c[0] == '.' && (n == 1 || (n == 2 && c[1] == ' '))) return 1;
    Py_ssize_t before = 0, after = 0;
    while (before < n && is_blank(c[before])) before++;
    if (before == n || c[before] != '\n') return 0;
    while (before + 1 + after < n && is_blank(c[before + 1 + after])) after++;
    return before <= 3 && after <= 3 && before + 1 + after == n;
}

/* matching._ends_sentence */
static int ends_sentence(const Text *text, Py_ssize_t at) {
    Py_ssize_t end = text->ends[at], next = text->starts[at + 1];
    if (PyUnicode_ReadChar(text->plain, end) != '.' || end - text->starts[at] < WHOLE_WORD) return 0;
    Py_UCS4 c = PyUnicode_ReadChar(text->plain, next);
    if (c < 0x80) return c >= 'A' && c <= 'Z';
    PyObject *letter = PyUnicode_Substring(text->plain, next, next + 1);
    PyObject *upper = letter == NULL ? NULL : PyObject_CallMethodObjArgs(letter, name_isupper, NULL);
    int told = upper == NULL ? FAILED : upper == Py_True;
    Py_XDECREF(letter);
    Py_XDECREF(upper);
    return told;
}

static Py_ssize_t number_of(PyObject *slot, PyObject *name) {
    PyObject *value = PyObject_GetAttr(slot, name);
    if (value == NULL) return FAILED;
    Py_ssize_t number = PyLong_AsSsize_t(value);
    Py_DECREF(value);
    return number < 0 ? FAILED : number;
}

/* whether a word begins (side -1) or ends (1) as one of a tuple does */
static int has_tail(PyObject *slot, PyObject *name, PyObject *word, int side) {
    PyObject *parts = PyObject_GetAttr(slot, name);
    if (parts == NULL) return FAILED;
    int held = 0;
    for (Py_ssize_t i = 0, n = PyTuple_Size(parts); i < n && !held; i++) {
        PyObject *part = PyTuple_GetItem(parts, i);
        held = part == NULL ? FAILED : (int)PyUnicode_Tailmatch(word, part, 0, PY_SSIZE_T_MAX, side);
        if (held == -1) held = FAILED;
    }
    Py_DECREF(parts);
    return held;
}

static int is_one_of(PyObject *slot, PyObject *word) {
    PyObject *forms = PyObject_GetAttr(slot, name_forms);
    if (forms == NULL) return FAILED;
    int held = PySequence_Contains(forms, word);
    Py_DECREF(forms);
    if (held) return held < 0 ? FAILED : 1;
    held = has_tail(slot, name_stems, word, -1);
    return held ? held : has_tail(slot, name_ends, word, 1);
}

/* matching.fits, for word number `at` */
static int fits(const Text *text, PyObject *slot, Py_ssize_t at) {
    PyObject *word = PyList_GetItem(text->words, at), *folded = PyList_GetItem(text->folded, at);
    if (word == NULL || folded == NULL) return FAILED;
    int held = is_one_of(slot, word);
    if (held || !text->fold_too) return held;
    int marked = 0, tied = 0;
    for (Py_ssize_t i = 0, n = PyUnicode_GetLength(word); i < n; i++) {
        Py_UCS4 c = PyUnicode_ReadChar(word, i);
        marked |= c >= 0x80;
        tied |= c == 0x153 || c == 0xE6 || c == 0xDF || c == 0xF8 || c == 0x142;
    }
    if (marked && !tied) return 0;
    return folded == word ? 0 : is_one_of(slot, folded);
}

static Py_ssize_t match(const Text *text, PyObject *slots, Py_ssize_t slot, Py_ssize_t at);

/* matching.begun: the number of the last word when slots from `slot` on match with word `here` as the first */
static Py_ssize_t begun(const Text *text, PyObject *slots, Py_ssize_t slot, Py_ssize_t here) {
    PyObject *word = PyTuple_GetItem(slots, slot);
    if (word == NULL) return FAILED;
    Py_ssize_t last = NO_MATCH;
    int held = fits(text, word, here);
    if (held < 0) return FAILED;
    if (held) last = match(text, slots, slot + 1, here);
    PyObject *phrases = last == FAILED ? NULL : PyObject_GetAttr(word, name_phrases);
    if (phrases == NULL) return FAILED;
    Py_ssize_t n = PyTuple_Size(phrases);
    PyObject *after = n > 0 ? PyTuple_GetSlice(slots, slot + 1, PyTuple_Size(slots)) : NULL;
    if (n > 0 && after == NULL) last = FAILED;
    for (Py_ssize_t i = 0; i < n && last != FAILED; i++) {
        PyObject *phrase = PyTuple_GetItem(phrases, i);
        PyObject *rest = phrase == NULL ? NULL : PySequence_Concat(phrase, after);
        Py_ssize_t own = FAILED;
        if (rest != NULL && !Py_EnterRecursiveCall(" while matching an entry")) {
            own = begun(text, rest, 0, here);
            Py_LeaveRecursiveCall();
        }
        Py_XDECREF(rest);
        last = own == FAILED ? FAILED : own > last ? own : last;
    }
    Py_XDECREF(after);
    Py_DECREF(phrases);
    return last;
}

/* matching._match: the same for the slots that follow word `at`; the longest way wins */
static Py_ssize_t match(const Text *text, PyObject *slots, Py_ssize_t slot, Py_ssize_t at) {
    if (slot == PyTuple_Size(slots)) return at;
    if (Py_EnterRecursiveCall(" while matching an entry")) return FAILED;
    Py_ssize_t best = NO_MATCH, here = at;
    PyObject *word = PyTuple_GetItem(slots, slot);
    Py_ssize_t gap = word == NULL ? FAILED : number_of(word, name_gap);
    PyObject *optional = gap < 0 ? NULL : PyObject_GetAttr(word, name_optional);
    if (optional == NULL) {
        best = FAILED;
        goto done;
    }
    int may_miss = optional == Py_True;
    Py_DECREF(optional);
    if (may_miss && (best = match(text, slots, slot + 1, at)) == FAILED) goto done;
    for (Py_ssize_t passed = 0; passed <= gap; passed++) {
        if (here + 1 >= text->count) break;
        if (!may_be_between(text, text->ends[here], text->starts[here + 1], gap > 0)) break;
        int ended = ends_sentence(text, here);
        if (ended == FAILED) {
            best = FAILED;
            break;
        }
        if (ended) break;
        here++;
        Py_ssize_t last = begun(text, slots, slot, here);
        if (last == FAILED) {
            best = FAILED;
            break;
        }
        if (last >= 0) {
            best = last > best ? last : best;
            break;
        }
    }
done:
    Py_LeaveRecursiveCall();
    return best;
}

/* the places of an entry that begins at some words, as (entry, first, last) */
static int add_matches(PyObject *found, Text *text, PyObject *at, PyObject *entry, PyObject *firsts) {
    PyObject *slots = PyObject_GetAttr(entry, name_slots), *fold = PyObject_GetAttr(entry, name_fold);
    PyObject *each = slots == NULL || fold == NULL ? NULL : PySequence_List(firsts);
    int failed = each == NULL || !PyTuple_Check(slots);
    if (each != NULL && failed) PyErr_SetString(PyExc_TypeError, "the slots of an entry are a tuple");
    text->fold_too = fold == Py_True;
    for (Py_ssize_t i = 0, n = failed ? 0 : PyList_Size(each); i < n && !failed; i++) {
        Py_ssize_t first = PyLong_AsSsize_t(PyList_GetItem(each, i));
        if (first < 0 || first >= text->count) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no word has that number");
            failed = 1;
            break;
        }
        Py_ssize_t last = begun(text, slots, 0, first);
        if (last == FAILED) failed = 1;
        if (last < 0) continue;
        PyObject *hit = Py_BuildValue("(Onn)", at, first, last);
        failed = hit == NULL || PyList_Append(found, hit);
        Py_XDECREF(hit);
    }
    Py_XDECREF(slots);
    Py_XDECREF(fold);
    Py_XDECREF(each);
    return failed ? -1 : 0;
}

/* the places of words as numbers; released by the caller where it succeeds */
static int places(PyObject *from, Py_buffer *view, Py_ssize_t count, Py_ssize_t length) {
    if (PyObject_GetBuffer(from, view, PyBUF_SIMPLE)) return -1;
    int fits_in = view->len == count * (Py_ssize_t)sizeof(uint32_t);
    const uint32_t *numbers = view->buf;
    for (Py_ssize_t i = 0; i < count && fits_in; i++)
        fits_in = (Py_ssize_t)numbers[i] <= length && (i == 0 || numbers[i - 1] <= numbers[i]);
    if (fits_in) return 0;
    PyBuffer_Release(view);
    PyErr_SetString(PyExc_ValueError, "these are not the places of the words of the text");
    return -1;
}

PyDoc_STRVAR(matches_doc, "matches(entries, candidates, words, folded, starts, ends, plain)\n--\n\n"
    "Where some of the entries stand, as (entry, first word, last word); letter case is not looked at. The places are\n"
    "32-bit numbers, the candidates pairs of an entry's number and the words where it may begin.");

static PyObject *matches(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *entries, *chosen, *starts, *ends;
    Text text;
    Py_buffer first_places, last_places;
    if (!PyArg_ParseTuple(args, "OO!O!O!OOU", &entries, &PyList_Type, &chosen, &PyList_Type, &text.words, &PyList_Type,
                          &text.folded, &starts, &ends, &text.plain))
        return NULL;
    text.count = PyList_Size(text.words);
    text.length = PyUnicode_GetLength(text.plain);
    if (PyList_Size(text.folded) != text.count) {
        PyErr_SetString(PyExc_ValueError, "two rows of one length are needed");
        return NULL;
    }
    if (places(starts, &first_places, text.count, text.length - 1)) return NULL;
    if (places(ends, &last_places, text.count, text.length)) {
        PyBuffer_Release(&first_places);
        return NULL;
    }
    text.starts = first_places.buf;
    text.ends = last_places.buf;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_Size(chosen); i++) {
        PyObject *at, *firsts, *entry = NULL, *pair = PyList_GetItem(chosen, i);
        int failed = pair == NULL || !PyArg_ParseTuple(pair, "OO", &at, &firsts)
            || (entry = PyObject_GetItem(entries, at)) == NULL || add_matches(found, &text, at, entry, firsts);
        Py_XDECREF(entry);
        if (failed) Py_CLEAR(found);
    }
    PyBuffer_Release(&first_places);
    PyBuffer_Release(&last_places);
    return found;
}

/* ---- the module ------------------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"split", split, METH_VARARGS, split_doc},
    {"tabled", candidates, METH_VARARGS, candidates_doc},
    {"exact", exact, METH_VARARGS, exact_doc},
    {"filed", filed, METH_VARARGS, filed_doc},
    {"matches", matches, METH_VARARGS, matches_doc},
    {"is_near", is_near, METH_VARARGS, is_near_doc},
    {"around", around, METH_VARARGS, around_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_words", "The inner loops of hits.py, compiled.", -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__words(void) {
    struct {
        PyObject **name;
        const char *text;
    } names[] = {
        {&name_forms, "forms"}, {&name_stems, "stems"}, {&name_ends, "ends"}, {&name_gap, "gap"},
        {&name_optional, "optional"}, {&name_phrases, "phrases"}, {&name_slots, "slots"}, {&name_fold, "fold"},
        {&name_isupper, "isupper"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *names[i].name = PyUnicode_InternFromString(names[i].text);
        if (*names[i].name == NULL) return NULL;
    }
    make_table_ready();
    return PyModule_Create(&definition);
}
