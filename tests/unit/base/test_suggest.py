"""Close names for mistyped ones."""

from __future__ import annotations

from clew.base.suggest import suggest, unknown_name


def test_close_names_come_first_whatever_their_case() -> None:
    assert suggest("parse_hedaer", ["main", "parse_header", "parse_body"])[0] == "parse_header"
    assert suggest("MAIN", ["main", "other"]) == ["main"]


def test_messages() -> None:
    assert unknown_name("function", "mian", ["main", "zzz"]) == "no function 'mian'; did you mean 'main'?"
    assert unknown_name("function", "q", ["abc", "xyz"]) == "no function 'q'; there is abc, xyz"
    assert unknown_name("function", "q", []) == "no function 'q', and none other either"
    assert unknown_name("label", "q", [f"name{i}" for i in range(20)]).endswith(", ...")
