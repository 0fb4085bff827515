/* What _beside.c gives to the module of _words.c, and takes from it. */

extern const char is_near_doc[], around_doc[];

PyObject *is_near(PyObject *module, PyObject *args);
PyObject *around(PyObject *module, PyObject *args);

/* of what kind an entry is; borrowed */
PyObject *kind_of(PyObject *kinds, PyObject *at);
