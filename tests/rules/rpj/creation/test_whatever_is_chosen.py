"""Whatever somebody chooses in the wizard: no page breaks, and what is finished is allowed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import Dice
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.creation.draft import Making
from bot.rules.rpj.creation.ways_to_join import module_problems
from bot.rules.rpj.module.settings import Shipped, module_in
from tests.rules.rpj.creation.wizard import Wizard, laeniel

LONGEST_VALUE, LONGEST_LABEL, LONGEST_KEY = 100, 100, 75


class Drawn:
    """Dice that fall as hypothesis likes."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        """Any face."""
        return self._data.draw(st.integers(1, sides))


def throw(wizard: Wizard, dice: Dice) -> None:
    """Throw whatever has not been thrown yet."""
    for step in wizard.steps.values():
        for one in step.throws:
            if one.key not in wizard.draft:
                roll = RULESET.rolls[one.rule].resolve(one.inputs, dice)
                wizard.draft[one.key] = one.answer(roll)


def look_at(wizard: Wizard) -> None:
    """Every page can be shown."""
    for step in wizard.steps.values():
        assert step.title
        assert len(step.blanks) <= 5
        assert len(step.picks) + len(step.throws) <= 7
        for pick in step.picks:
            assert len(pick.prompt) <= LONGEST_LABEL
            assert len(pick.key) <= LONGEST_KEY
            values = [choice.value for choice in pick.choices]
            assert len(values) == len(set(values))
            assert pick.barred.keys() <= set(values)
            for choice in pick.choices:
                assert 1 <= len(choice.value) <= LONGEST_VALUE
                assert 1 <= len(choice.label) <= LONGEST_LABEL
                assert len(choice.note) <= LONGEST_LABEL


def choose(wizard: Wizard, data: st.DataObject) -> None:
    """Answer one question of any page with anything that is offered and not barred."""
    open_picks = [
        pick for pick in wizard.picks.values() if set(pick.barred) < {c.value for c in pick.choices}
    ]
    pick = data.draw(st.sampled_from(open_picks))
    free = [choice.value for choice in pick.choices if choice.value not in pick.barred]
    most = min(pick.most, len(free))
    chosen = data.draw(st.lists(st.sampled_from(free), min_size=min(1, most), max_size=most, unique=True))
    wizard.draft[pick.key] = tuple(chosen)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_wizard_page_can_be_shown_and_a_finished_character_fits_its_module(data: st.DataObject) -> None:
    wizard = Wizard(module=data.draw(st.sampled_from(list(Shipped))))
    for _ in range(data.draw(st.integers(0, 25))):
        choose(wizard, data)
        if data.draw(st.booleans()):
            throw(wizard, Drawn(data))
        look_at(wizard)
        if not wizard.problems:
            figure = Stats(wizard.made(), module_in(wizard.settings))
            assert module_problems(figure) == ()
            assert figure.sheet.available_points >= 0


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_skill_can_be_bought_beyond_the_points_there_are(data: st.DataObject) -> None:
    wizard = laeniel(start_points=data.draw(st.integers(0, 130)))
    skills = [choice.value for choice in wizard.picks["buying"].choices]
    for _ in range(data.draw(st.integers(1, 12))):
        wizard.pick(buying=data.draw(st.sampled_from(skills)))
        pick = wizard.picks[f"level.{wizard.draft['buying'][0]}"]
        free = [choice.value for choice in pick.choices if choice.value not in pick.barred]
        wizard.draft[pick.key] = (data.draw(st.sampled_from(free)),)

        assert Making(wizard.draft, module_in(wizard.settings)).left >= 0
        assert not any("All of it costs" in told for _where, told in wizard.problems)
