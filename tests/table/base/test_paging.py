"""Long lists a page at a time."""

from bot.table.base.access import ListPage, page_of


def test_a_list_is_cut_into_pages_of_a_size() -> None:
    assert page_of("abcde", 1, 2) == ListPage(("c", "d"), 1, 3)


def test_a_page_that_is_not_there_is_the_last_or_the_first_one() -> None:
    assert [page_of("abcde", number, 2).shown for number in (9, -1)] == [("e",), ("a", "b")]


def test_an_empty_list_has_one_empty_page() -> None:
    assert page_of("", 4, 2) == ListPage((), 0, 1)


def test_the_first_page_follows_the_last() -> None:
    assert [page_of("abcde", number, 2).following for number in range(3)] == [1, 2, 0]
