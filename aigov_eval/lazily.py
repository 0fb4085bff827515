"""
Values of an object that are found when they are first asked for.

Comes in: a method without arguments. Goes out: the same as an attribute, kept with its object; to let go of it is to take
it out of the object's `__dict__`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")


class lazily(Generic[_Value]):
    """
    Like `functools.cached_property`, which in Python 3.11 takes a lock at each first question.

    Objects of ours belong to one thread each, and a turn asks dozens of first questions.
    """

    def __init__(self, find: Callable[[Any], _Value]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, owner: None, of: type[Any]) -> lazily[_Value]: ...

    @overload
    def __get__(self, owner: object, of: type[Any]) -> _Value: ...

    def __get__(self, owner: object | None, of: type[Any]) -> lazily[_Value] | _Value:
        """What the method tells, for this object and from now on."""
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._find(owner)
        return value
