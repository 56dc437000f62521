"""A GM edits the module's lists entry by entry, in every game that has any."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.access import ForGmOnly, Request
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, modules
from bot.table.journal import journal
from tests.table.conftest import Person

Typed = Mapping[str, tuple[str, ...]]


def typed(**fields: str) -> Typed:
    return {key: (value,) for key, value in fields.items()}


@dataclass(frozen=True)
class Case:
    """An entry to add to a list, a change of it, and fields that are refused with which words."""

    game: str
    list: str
    new: Typed
    changes: Typed
    shown: tuple[str, str]
    mistake: Typed
    said: str
    name: str = ""

    @property
    def called(self) -> str:
        """How the list calls the entry."""
        return self.name or self.new["name"][0]


CASES = (
    Case(
        "rpj",
        "skills",
        {
            **typed(name="Sailing", usable_at_zero="no", specialties="", description="Boats."),
            "linked": ("DEX", "INT"),
        },
        typed(specialties="Rivers, Sea"),
        ("Specialties", "Rivers, Sea"),
        {**typed(name="Boats"), "linked": ()},
        "Linked attributes: ",
    ),
    Case(
        "rpj",
        "traits",
        typed(name="Sea Legs", kind="gift", cost="3", description=""),
        typed(cost="4"),
        ("Character points", "4"),
        typed(name="Sharp", cost="many"),
        "Character points: must be a whole number.",
    ),
    Case(
        "rpj",
        "weapons",
        typed(name="Harpoon", skill="concealment", attribute="DEX", damage="2", greatest_range="1"),
        typed(skill="Concealment", damage="−1", greatest_range=""),
        ("Damage", "-1"),
        typed(name="Net", skill="Netting", greatest_range=""),
        "There is no such skill as “Netting”",
    ),
    Case(
        "rpj",
        "armor",
        typed(name="Oilskin", kind="armor", saves="7, 8", dodge="−1", absorb=""),
        typed(saves="7", dodge="", absorb="1"),
        ("Damage saves", "7"),
        typed(name="Rags", saves="", dodge=""),
        "Damage saves: ",
    ),
    Case(
        "rpj",
        "gear",
        typed(name="Sextant", rarity="rare", load="1", description=""),
        typed(rarity="-"),
        ("Rarity", ""),
        typed(name=" ", rarity="-", load=""),
        "at least one visible character",
    ),
    Case(
        "rpj",
        "blocked",
        typed(name="athleticism"),
        typed(name="Concealment"),
        ("Skill that can't be learned for now", "Concealment"),
        typed(name="Juggling"),
        "There is no such skill as “Juggling”",
        name="Athleticism",
    ),
    Case(
        "swim_class",
        "skills",
        typed(name="Fast talk", default="2", attack="none", defends="gm", note=""),
        typed(defends="never"),
        ("When it defends", "Never"),
        typed(name="Stealth", default="1"),
        "There is already a skill Stealth.",
    ),
    Case(
        "swim_class",
        "synergies",
        typed(one="Stealth", other="climb", degree="2"),
        typed(degree="3"),
        ("Degree", "3"),
        typed(other="Stealth"),
        "A skill can't have synergy with itself.",
        name="Climb and stealth",
    ),
    Case(
        "compare_roll",
        "weapons",
        typed(name="Harpoon", damage="Heavy", distance="Room", shape="-", level=""),
        typed(shape="Line", level="2"),
        ("Whom it hits", "Line"),
        typed(name="Net", level="99"),
        "Level: must be at most 20.",
    ),
    Case(
        "compare_roll",
        "items",
        typed(name="Oilskin", kind="armour", charges="", heals_sides="", fortitude="2"),
        typed(fortitude="3"),
        ("Fortitude while worn (armor)", "3"),
        typed(name="Tea", kind="remedy", heals_sides="6"),
        "Only armor adds Fortitude.",
    ),
    Case(
        "compare_roll",
        "hard",
        typed(name="Absurd", number="12"),
        typed(number="11"),
        ("Number added to each d12", "11"),
        typed(name="Mad", number="21"),
        "Number added to each d12: must be at most 20.",
    ),
    Case(
        "compare_roll",
        "skills",
        typed(category="Combat", name="Harpooning"),
        typed(name="Whaling"),
        ("Name", "Whaling"),
        typed(name=""),
        "Name",
    ),
    Case(
        "sword_and_swarm",
        "skills",
        typed(name="Riding", attribute="Key", trained_only="no"),
        typed(trained_only="yes"),
        ("Needs training", "Yes"),
        typed(name="Locks, Doors", trained_only="yes"),
        "without commas or colons",
    ),
    Case(
        "sword_and_swarm",
        "hard",
        typed(name="Rope bridge", difficulty="4"),
        typed(difficulty="5"),
        ("Difficulty", "5"),
        typed(name="Wall", difficulty="high"),
        "the difficulty from 0 to 10",
    ),
    Case(
        "sword_and_swarm",
        "gear",
        typed(name="Gloves", raises="Key +2"),
        typed(raises="Key +2 Star +1"),
        ("What it raises", "Key +2 Star +1"),
        typed(name="Hat", raises="Hat +2"),
        "there is no attribute “Hat”.",
    ),
    Case(
        "post_magic_maid",
        "names",
        typed(name="Sweep"),
        typed(name="Sweeping"),
        ("Ability name", "Sweeping"),
        typed(name=""),
        "Ability names: ",
    ),
)
SKILL = CASES[0].new


@pytest.fixture
async def every_game(table: Table) -> Table:
    return Table(
        store=table.store,
        games={**table.games, **rulesets()},
        now=table.now,
        new_secret=table.new_secret,
    )


async def _names(table: Table, request: Request, campaign: int, key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    page = await modules.open_list(table, request, campaign, key)
    for at in range(page.pages):
        page = await modules.open_list(table, request, campaign, key, at)
        found |= {line.name: line.mark for line in page.lines}
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.list}")
class TestEveryList:
    async def test_an_entry_is_added_changed_and_removed_and_all_of_it_undone(
        self, every_game: Table, gm: Person, case: Case
    ) -> None:
        table = every_game
        at = (await campaigns.create(table, gm.asks(), case.game, "The Manor")).campaign
        before = await _names(table, gm.asks(), at, case.list)

        request = gm.asks()
        added = await modules.put_entry(table, request, at, case.list, None, case.new)
        assert await modules.put_entry(table, request, at, case.list, None, case.new) == added
        assert added.message.headline.startswith(f"adds {case.called} (")
        mark = (await _names(table, gm.asks(), at, case.list))[case.called]
        await modules.put_entry(table, gm.asks(), at, case.list, mark, {**case.new, **case.changes})
        name = case.changes["name"][0] if "name" in case.changes else case.called
        after = await _names(table, gm.asks(), at, case.list)
        shown = await modules.open_list(table, gm.asks(), at, case.list, 0, after[name])
        assert case.shown in shown.fields
        removed = await modules.remove_entry(table, gm.asks(), at, case.list, after[name])
        assert await _names(table, gm.asks(), at, case.list) == before

        await journal.undo(table, gm.asks(), removed.entry)
        assert name in await _names(table, gm.asks(), at, case.list)
        await journal.undo(table, gm.asks(), added.entry, together=True)
        assert await _names(table, gm.asks(), at, case.list) == before

    async def test_a_mistake_is_told_in_a_sentence_and_changes_nothing(
        self, every_game: Table, gm: Person, case: Case
    ) -> None:
        at = (await campaigns.create(every_game, gm.asks(), case.game, "The Manor")).campaign
        before = await _names(every_game, gm.asks(), at, case.list)

        with pytest.raises((UserError, UserErrors)) as told:
            await modules.put_entry(every_game, gm.asks(), at, case.list, None, {**case.new, **case.mistake})

        error = told.value
        text = " ".join(error.problems) if isinstance(error, UserErrors) else str(error)
        assert case.said in text
        assert await _names(every_game, gm.asks(), at, case.list) == before

    async def test_the_same_name_twice_is_refused(self, every_game: Table, gm: Person, case: Case) -> None:
        at = (await campaigns.create(every_game, gm.asks(), case.game, "The Manor")).campaign
        await modules.put_entry(every_game, gm.asks(), at, case.list, None, case.new)

        with pytest.raises(UserError, match="already"):
            await modules.put_entry(every_game, gm.asks(), at, case.list, None, case.new)

    async def test_its_form_begins_with_what_is_there(
        self, every_game: Table, gm: Person, case: Case
    ) -> None:
        at = (await campaigns.create(every_game, gm.asks(), case.game, "The Manor")).campaign
        empty = await modules.entry_form(every_game, gm.asks(), at, case.list)
        await modules.put_entry(every_game, gm.asks(), at, case.list, None, case.new)
        mark = (await _names(every_game, gm.asks(), at, case.list))[case.called]

        filled = await modules.entry_form(every_game, gm.asks(), at, case.list, mark)

        assert all(stands == () for _, stands in empty.columns)
        assert 1 <= len(filled.columns) <= 5
        written = {column.key: stands for column, stands in filled.columns}
        await modules.put_entry(every_game, gm.asks(), at, case.list, mark, written)
        again = await modules.entry_form(every_game, gm.asks(), at, case.list, mark)
        assert again == filled


class TestRights:
    async def test_only_a_gm_of_the_campaign_edits_lists(
        self, every_game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        at = (await campaigns.create(every_game, gm.asks(), "swim_class", "The Manor")).campaign
        new = typed(name="CANARY", default="2", attack="none", defends="gm", note="")
        await modules.put_entry(every_game, gm.asks(), at, "skills", None, new)
        mark = (await _names(every_game, gm.asks(), at, "skills"))["CANARY"]

        for person, error in ((ada, ForGmOnly), (neighbour, UserError)):
            for attempt in (
                modules.open_lists(every_game, person.asks(), at),
                modules.open_list(every_game, person.asks(), at, "skills"),
                modules.entry_form(every_game, person.asks(), at, "skills", mark),
                modules.put_entry(every_game, person.asks(), at, "skills", None, new),
                modules.remove_entry(every_game, person.asks(), at, "skills", mark),
            ):
                with pytest.raises(error) as told:
                    await attempt
                assert "CANARY" not in str(told.value)

    async def test_lists_entries_and_games_that_are_not_there_are_refused(
        self, game: Table, every_game: Table, gm: Person
    ) -> None:
        rpj = (await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")).campaign
        toy = (await campaigns.create(every_game, gm.asks(), "toy", "Toys")).campaign

        for campaign, key, mark, said in (
            (toy, "skills", None, "no lists to edit"),
            (rpj, "ships", None, "list is gone"),
            (rpj, "spells", None, "list is gone"),  # structured magic is off
            (rpj, "skills", "0", "skill is gone"),
        ):
            with pytest.raises(UserError, match=said):
                await modules.open_list(every_game, gm.asks(), campaign, key, 0, mark)


class TestModules:
    async def test_a_shipped_module_becomes_the_campaigns_own_when_it_is_changed(
        self, every_game: Table, gm: Person
    ) -> None:
        at = (await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")).campaign

        await modules.put_entry(every_game, gm.asks(), at, "skills", None, SKILL)

        view = await modules.show(every_game, gm.asks())
        assert view.title == "Generic (changed)"
        await modules.use(every_game, gm.asks(), "fantasy")
        with pytest.raises(UserError, match="would replace the campaign's own module"):
            await modules.put_entry(every_game, gm.asks(), at, "skills", None, SKILL)

    async def test_a_skill_that_others_need_stays(self, every_game: Table, gm: Person) -> None:
        at = (await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")).campaign
        mark = (await _names(every_game, gm.asks(), at, "skills"))["Concealment"]

        with pytest.raises(UserErrors, match="concealment"):
            await modules.remove_entry(every_game, gm.asks(), at, "skills", mark)

    async def test_spells_are_edited_while_they_are_played(self, every_game: Table, gm: Person) -> None:
        at = (await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")).campaign
        await campaign_settings.change_setting(every_game, gm.asks(), "module", "fantasy")
        await campaign_settings.change_setting(every_game, gm.asks(), "structured_magic", "yes")
        lists = await modules.open_lists(every_game, gm.asks(), at)
        assert [line.name for line in lists.lines if line.mark == "spells"] == ["Spells"]

        names = await _names(every_game, gm.asks(), at, "spells")
        form = await modules.entry_form(every_game, gm.asks(), at, "spells", min(names.values()))
        skill = next(stands[0] for column, stands in form.columns if column.key == "magic_skill")
        new = typed(name="Foam", level="1", magic_skill=skill, damage="", description="Wet.")
        await modules.put_entry(every_game, gm.asks(), at, "spells", None, new)

        assert "Foam" in await _names(every_game, gm.asks(), at, "spells")
        assert (await modules.show(every_game, gm.asks())).title == "Fantasy"

    async def test_a_synergy_goes_with_its_skill(self, every_game: Table, gm: Person) -> None:
        at = (await campaigns.create(every_game, gm.asks(), "swim_class", "The Manor")).campaign
        new = typed(name="Fast talk", default="2", attack="none", defends="gm", note="")
        await modules.put_entry(every_game, gm.asks(), at, "skills", None, new)
        edge = typed(one="Fast talk", other="Stealth", degree="2")
        await modules.put_entry(every_game, gm.asks(), at, "synergies", None, edge)
        mark = (await _names(every_game, gm.asks(), at, "skills"))["Fast talk"]

        await modules.remove_entry(every_game, gm.asks(), at, "skills", mark)

        assert await _names(every_game, gm.asks(), at, "synergies") == {}
