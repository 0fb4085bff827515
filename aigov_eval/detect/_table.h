/* What _table.c gives to the module of _words.c, and takes from it. */

extern const char candidates_doc[];

PyObject *candidates(PyObject *module, PyObject *args);
void make_table_ready(void);

/* the list of a number in a dict, made where there is none; borrowed */
PyObject *list_of(PyObject *found, PyObject *at);
