"""The wizard's pages with dice, and with more choices than one menu holds."""

from dataclasses import replace

from bot.rules.kernel import Choice, CreationRoll, Die, Family, Question, Roll, Step, Verdict
from bot.table.characters.creation_pages import WizardPage
from bot.ui.replies.sheets import page_reply
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
