"""Our ``dataclass`` makes what Python's own does, but for frozen fields, which only mypy guards."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar, get_type_hints

import pytest

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    note: str = dataclasses.field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = "p"


@dataclass(frozen=True, slots=True)
class One:
    value: float


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@dataclass(slots=True)
class Mutable:
    items: list[Any] = dataclasses.field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Derived:
    given: int
    items: list[int] = dataclasses.field(default_factory=lambda: [1], init=False)
    kind: str = dataclasses.field(default="k", init=False)
    twice: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.twice = 2 * self.given


@dataclass(slots=True, eq=False, repr=False)
class Plain:
    x: int


@dataclass(frozen=True, slots=True)
class Own:
    x: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


def test_equality_and_hash_by_fields_that_compare() -> None:
    assert Point(1) == Point(1, 2, "other") != Point(1, 3)
    assert hash(Point(1)) == hash(Point(1, 2, "other"))
    assert Point(1) != Named(1)
    assert Empty() == Empty() and len({Empty(), Empty(), Point(1), Point(1, note="n")}) == 2
    nan = float("nan")
    assert One(nan) == One(nan) != One(float("nan"))


def test_what_has_no_hash_or_no_equality() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Mutable())
    assert Mutable([1]) == Mutable([1])
    assert Plain(1) != Plain(1) and repr(Plain(1)).startswith("<")


def test_initializers_take_what_pythons_own_take() -> None:
    assert Point(1, note="n", y=3).note == "n"
    assert Mutable().items is not Mutable().items
    made = Derived(given=4)
    assert (made.items, made.kind, made.twice) == ([1], "k", 8)
    for wrong in (lambda: Point(), lambda: Derived(4), lambda: Derived(given=1, kind="x"), lambda: One(1.0, 2)):  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="__init__"):
            wrong()


def test_a_class_derived_before_its_base_has_objects() -> None:
    @dataclass(slots=True)
    class Base:
        x: int

    class Child(Base):
        def __init__(self) -> None:
            super().__init__(7)

    assert Child().x == Child().x == Base(7).x


def test_classes_of_as_many_fields_have_names_and_defaults_of_their_own() -> None:
    @dataclass(slots=True)
    class Pair:
        left: int
        right: str = "r"

    @dataclass(slots=True)
    class Swapped:
        right: int = 1
        left: int = 2

    assert (Pair(1).left, Pair(1).right, Pair(right="x", left=3).right) == (1, "r", "x")
    assert (Swapped().right, Swapped(left=5).left, Swapped(7).right) == (1, 5, 7)
    with pytest.raises(TypeError, match=r"Pair\.__init__\(\) missing 1 required positional argument: 'left'"):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'p0'"):
        Swapped(p0=1)  # type: ignore[call-arg]


def test_a_default_that_all_objects_would_share_is_refused() -> None:
    with pytest.raises(ValueError, match="mutable default"):

        @dataclass(slots=True)
        class Shared:
            items: list[int] = []  # noqa: RUF012


def test_slots_are_not_made_twice() -> None:
    class Root:
        __slots__ = ("x",)

    @dataclass(slots=True)
    class Leaf(Root):
        x: int
        y: int

    assert vars(Leaf)["__slots__"] == ("y",) and Leaf(1, 2).x == 1


def test_positional_patterns_follow_the_fields() -> None:
    match Named(1, 5, "n", "q"):
        case Named(x, y, _, name):
            assert (x, y, name) == (1, 5, "q")
        case _:
            pytest.fail("no match")


def test_own_methods_stay() -> None:
    assert Own(1) == Own(2) and hash(Own(3)) == 7 and repr(Own(1)) == "own"


def test_text_shows_fields_and_does_not_recurse_for_ever() -> None:
    assert repr(Named(1, note="hidden")) == "Named(x=1, y=2, name='p')"
    circle = Mutable()
    circle.items.append(circle)
    assert repr(circle) == "Mutable(items=[...])"


def test_the_rest_of_the_standard_library_knows_them() -> None:
    point = Named(1, 5, "n", "q")
    assert dataclasses.replace(point, y=6) == Named(1, 6, "n", "q")
    assert dataclasses.asdict(One(1.0)) == {"value": 1.0}
    assert pickle.loads(pickle.dumps(point)) == copy.deepcopy(point) == point
    assert not hasattr(point, "__dict__")


@dataclass(frozen=True, slots=True)
class Counted:
    total: ClassVar[int] = 7
    own: int = 1


def test_annotations_mean_what_they_say() -> None:
    assert [field.name for field in dataclasses.fields(Counted(2))] == ["own"]
    assert Counted.total == 7
    assert get_type_hints(Counted) == {"total": ClassVar[int], "own": int}
    assert get_type_hints(Named) == {"x": int, "y": int, "note": str, "name": str}
