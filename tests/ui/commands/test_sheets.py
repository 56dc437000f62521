"""The sheet with its controls, as it stands on a phone."""

import pytest

from bot.rules.kernel import Section
from bot.table.characters.characters import SheetView
from bot.table.characters.controls import Controls
from bot.ui.commands.sheets import controls_reply
from bot.ui.text.reply import Button

LONG = Controls(
    sheet=SheetView(
        id=3,
        name="Ada",
        game="Toy Game",
        owner=2,
        sections=tuple(Section(f"Part {n}", ("a line",) * 20) for n in range(3)),
    )
)


@pytest.mark.parametrize("page", [0, 1, 2])
def test_a_page_of_a_long_sheet_is_read_again_and_leads_to_the_next(page: int) -> None:
    blocks = controls_reply(LONG, page).blocks
    buttons = [one for row in blocks if isinstance(row, tuple) for one in row]
    ids = {one.label: one.id for one in buttons if isinstance(one, Button)}

    assert ids["Refresh"] == f"hand:1:3:0:home:{page}"
    assert ids[f"Page {page + 1} of 3"] == f"hand:1:3:0:home:{(page + 1) % 3}"
    assert len(set(ids.values())) == len(buttons)
