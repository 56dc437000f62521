"""The wizard's pages, and how few taps lead through them and to what people do most."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Choice, CreationRoll, Die, Family, Question, Roll, Step, Verdict
from bot.rules.rpj.character.sheet import RpjSheet
from bot.table.characters.creation_pages import WizardPage
from bot.ui.replies.sheets import page_reply
from tests.cogs.played import Play, get_up, sit_down
from tests.table.conftest import HOME, Person
from tests.table.toy_module import CheckInputs
from tests.ui.shown import shown

LUCK = CreationRoll(
    key="luck",
    prompt="rolls for Luck",
    label="Roll for Luck",
    rule="check",
    inputs=CheckInputs(target=6),
    answer=lambda roll: (str(roll.total),),
)
ROLL = Roll(
    rule="check",
    inputs=CheckInputs(target=6),
    dice=(Die(sides=6, face=5), Die(sides=6, face=2, is_kept=False)),
    verdict=Verdict(Family.NEWS, "Luck 5"),
)
HOW = Question(key="how", prompt="How?", choices=(Choice("dice", "by dice"), Choice("choice", "by choice")))
MANY = Question(key="knack", prompt="Which?", choices=tuple(Choice(f"k{n}", f"Knack {n}") for n in range(60)))
PAGE = WizardPage(
    draft=9,
    game="Toy Game",
    steps=(("how", "How"), ("name", "Name")),
    step=Step(key="how", title="How", text="Dice?", picks=(HOW,), throws=(LUCK,)),
    answers={},
    problems=(),
)


class TestDice:
    def test_a_button_rolls_a_steps_dice(self) -> None:
        text = shown(page_reply(PAGE))

        assert "[!Roll for Luck]" in text

    def test_rolled_dice_are_shown_and_have_no_button_any_more(self) -> None:
        text = shown(page_reply(replace(PAGE, thrown={"luck": ROLL})))

        assert "⚄ ~~⚁~~ 5 · **Luck 5**" in text
        assert "[!Roll for Luck]" not in text

    def test_an_answer_settled_by_dice_is_text_instead_of_a_menu(self) -> None:
        page = replace(PAGE, answers={"how": ("dice",)}, settled=frozenset({"how"}))

        text = shown(page_reply(page))

        assert "**How?** by dice\n-# Already rolled, so this can't change." in text
        assert "<How?" not in text


class TestManyChoices:
    def test_one_menu_is_open_and_buttons_lead_to_the_others(self) -> None:
        page = replace(PAGE, step=Step(key="how", title="How", text="", picks=(MANY,)))

        text = shown(page_reply(page, "knack", 1))

        assert "<Which? 1..1: Knack 25 / " in text
        assert "[Knack 0 …] [Knack 25 … (off)] [Knack 50 …]" in text

    def test_the_menu_with_the_answer_opens_first(self) -> None:
        page = replace(
            PAGE, step=Step(key="how", title="How", text="", picks=(MANY,)), answers={"knack": ("k55",)}
        )

        text = shown(page_reply(page))

        assert "<Which? 1..1: Knack 50 / " in text
        assert "**Which?** Knack 55" in text

    def test_one_of_several_menus_may_stay_empty_if_several_answers_are_wanted(self) -> None:
        wanted = replace(MANY, least=2, most=3)
        page = replace(PAGE, step=Step(key="how", title="How", text="", picks=(wanted,)))

        assert "<Which? 0..3: Knack 0 / " in shown(page_reply(page))

    def test_a_missing_menu_opens_another_one(self) -> None:
        page = replace(PAGE, step=Step(key="how", title="How", text="", picks=(MANY,)))

        assert "<Which? 1..1: Knack 0 / " in shown(page_reply(page, "knack", 7))


def test_removed_answers_are_named_first() -> None:
    text = shown(page_reply(replace(PAGE, gone=("Ropes? 6 no longer fits.",))))

    assert "-# Ropes? 6 no longer fits." in text


# Each game with its ready-made heroes, and a check that is rolled with one press: its button and its entry.
PLAYED = {
    "compare": (compare_roll.RULESET, "Juno Marsh", "Otto Brandt", "Precision", "Precision"),
    "maid": (post_magic_maid.RULESET, "Nettle Quickwater", "Bram Ostergard", "Dex + Lck", "Dex + Lck"),
    "rpj": (rpj.RULESET, "Marit Vance", "Oskar Brandt", "Concealment", "Concealment"),
    "swarm": (sword_and_swarm.RULESET, "Odalys Thorne", "Corvin Asher", "Boots", "Test Boots"),
    "swim": (swim_class.RULESET, "Sable Thornwick", "Ondra Kestrel", "Basic Melee", "Basic Melee"),
}


async def seated(folder: Path, name: str) -> Play:
    game, alices, bobs, *_ = PLAYED[name]
    return await sit_down(folder, game, alices, bobs)


async def tap(play: Play, who: Person, *taps: str | tuple[str, str]) -> int:
    """Press buttons, and choose in menus where two words say in which and what; count the taps."""
    play.taps = 0
    for one in taps:
        if isinstance(one, str):
            await play.presses(who, one)
        else:
            await play.chooses(who, *one)
    return play.taps


class TestTaps:
    @pytest.mark.parametrize("name", PLAYED)
    async def test_the_first_check_after_joining_takes_one_and_a_later_one_two(
        self, tmp_path: Path, name: str
    ) -> None:
        play, (*_, check, entry) = await seated(tmp_path, name), PLAYED[name]
        zed = play.stranger
        await play.types(zed, "/character create", ready=PLAYED[name][1], name="Zed")

        play.taps = 0
        await play.presses(zed, check, "d12:1 d12:2 d6:3 d6:4" if name == "compare" else "")
        assert play.taps == 1
        assert await rolls(play) == 1
        await play.types(zed, "/sheet")
        assert await tap(play, zed, "Check …", ("Roll …", entry)) <= 2
        assert await rolls(play) == 2
        await get_up(play)

    @pytest.mark.parametrize(
        ("name", "quick"),
        [
            ("rpj", ["Concealment 97%", "Athleticism 97%", "Dodge 97%"]),
            ("swim", ["Basic Melee 88%", "Brawn 88%", "Physical Defense 50%"]),
            ("maid", ["Rooftop running +5", "Pickpocketing +2", "Dex + Lck"]),
            ("swarm", ["Architecture …", "Boots 86%", "Runes 83%"]),
        ],
    )
    async def test_the_first_checks_are_short_and_say_their_chance_where_there_is_one(
        self, tmp_path: Path, name: str, quick: list[str]
    ) -> None:
        play = await seated(tmp_path, name)

        assert (await play.types(play.alice, "/sheet")).labels[:3] == quick
        await get_up(play)

    async def test_the_portrait_has_a_place_where_a_row_has_room(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "maid")
        await play.types(play.alice, "/sheet")
        await play.presses(play.alice, "Dex + Lck")

        assert "Portrait …" not in play.labels(play.alice)
        await play.presses(play.alice, "Grow …")
        assert play.labels(play.alice)[-2:] == ["Back", "Portrait …"]
        await play.types(play.gwen, "/sheet", name="Nettle Quickwater")
        form = await play.chooses(play.gwen, "As the GM …", "Portrait …")
        assert form.sent[-1].body["title"] == "Portrait"
        await get_up(play)

    async def test_what_keeps_an_act_stands_beside_the_first_checks_where_their_row_has_room(
        self, tmp_path: Path
    ) -> None:
        play = await seated(tmp_path, "swarm")
        await play.types(play.alice, "/sheet")
        await play.presses(play.alice, "Boots")

        kept = (await play.types(play.alice, "/sheet")).labels
        assert kept[:4] == ["Architecture …", "Boots 86%", "Runes 83%", "☆ Keep"]
        assert kept[-2:] == ["Refresh", "Portrait …"]
        await get_up(play)

    async def test_a_composer_names_what_can_be_switched_on(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "swarm")
        await play.types(play.alice, "/sheet")
        await play.presses(play.alice, "Check …")
        composer = await play.chooses(play.alice, "Roll with options …", "Test Boots")

        assert composer.labels[0] == "Advantage, Disadvantage …"
        await get_up(play)

    async def test_checks_that_wait_for_another_turn_say_so(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "swim")
        await play.npc("Bandit 1")
        await play.types(play.alice, "/encounter start", others="Bandit 1")
        for _ in range(3):
            if "### Bandit 1 acts" in (await play.types(play.alice, "/encounter status")).text:
                break
            await play.types(play.gwen, "/encounter next")

        await play.types(play.alice, "/sheet")
        said = await play.presses(play.alice, "Check …")

        assert "Basic Melee 3: It is Bandit 1's turn, not Sable Thornwick's." in said.text
        await get_up(play)

    async def test_favorites_take_the_places_of_the_first_checks(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "rpj")
        before = (await play.types(play.alice, "/sheet")).labels[:3]
        await play.presses(play.alice, "Concealment")

        await play.presses(play.alice, "☆ Keep")
        kept = await play.writes(play.alice, name="Sneak")

        assert [label.split(" ")[0] for label in before] == ["Concealment", "Athleticism", "Dodge"]
        assert kept.labels[:3] == ["★ Sneak", *before[:2]]
        await get_up(play)

    async def test_a_check_with_two_options_takes_five(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "rpj")
        await play.types(play.alice, "/sheet")

        options = ("Difficulty", "Difficulty: Moderate (9+)"), ("Bonus or penalty", "Bonus or penalty: 1")
        taps = await tap(
            play, play.alice, "Check …", ("Roll with options …", "Athleticism"), *options, "Roll"
        )

        assert taps <= 5
        assert await rolls(play) == 1
        await get_up(play)

    async def test_a_sensible_rpj_hero_takes_at_most_twenty(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "rpj")
        zed = play.stranger
        await play.types(zed, "/character create")

        taps = await tap(
            play,
            zed,
            ("Method", "Take a standard array"),
            ("Which array?", "A"),
            ("Primary category", "Shifty"),
            *("Roll for Luck", "Next", "Spend the rest for me", "Next"),
            ("Which class?", "Adventurer"),
            *("Spend the rest for me", "Next", "Next", "Next", "Next", "Enter a name"),
        )
        await play.writes(zed, name="Kestrel Vane")
        await play.presses(zed, "Finish")

        assert taps + 2 <= 20
        hero = RpjSheet.model_validate_json((await play.kept("Kestrel Vane")).sheet)
        assert hero.available_points == 0
        assert len(hero.skills) >= 6
        assert min(own.base for own in hero.skills) > 0
        await get_up(play)

    async def test_a_swimmer_takes_thirteen(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "swim")
        zed = play.stranger
        await play.types(zed, "/character create")

        taps = await tap(play, zed, ("Kind", "None"), "Next", ("Skills everyone has", "Climb"))
        taps += await tap(play, zed, ("Magic and other skills", ""), "Next", "Next", "Enter a name")
        await play.writes(zed, name="Kestrel")
        await play.presses(zed, "Finish")

        assert taps + 2 <= 13
        assert (await play.kept("Kestrel")).owner == zed.id
        await get_up(play)

    async def test_a_gm_ends_the_session_with_one_or_two(self, tmp_path: Path) -> None:
        play = await seated(tmp_path, "rpj")
        await play.types(play.gwen, "/session start")
        await play.types(play.gwen, "/session end")

        assert await tap(play, play.gwen, "End the session") <= 2

        assert play.messages[-1].text.startswith("**Session 1 ended**")
        await get_up(play)


async def rolls(play: Play) -> int:
    """How many rolls the journal has."""
    campaign = await play.campaign()
    entries = await play.table.store.read(lambda reader: reader.entries(HOME, campaign.id, limit=50))
    return sum(bool(one.rolls) for one in entries)
