"""New skills, looking at skills, the GM's word; a campaign's own skills and rules as a file."""

from typing import Any

import pytest

from bot.rules.kernel import CharacterId, FieldRows, FileKind, read_written, write_document
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.swim_class.game import RULESET
from bot.rules.swim_class.gm import LISTS, MODULE, module_problems
from bot.rules.swim_class.sheet import States, SwimSettings, book_of
from bot.rules.swim_class.sheet_text import SUGGESTION_LISTS
from bot.rules.swim_class.tables import Pool, SwimSkill, Synergy
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

SETTINGS = SwimSettings()


BOOK = book_of(SETTINGS)


@pytest.mark.rule("SWIM-CHAR-07")
class TestAddedSkills:
    def test_the_gm_adds_a_skill_with_its_synergies(self) -> None:
        table = solo({"finesse": 2})
        done = table.do("GM", "add_skill", name="Hacking", default=0, synergies="Finesse: 2")
        assert done.notes == ("Synergy 2 with Finesse.",)
        table.do("Ash", "roll", "4 5", skill="finesse", difficulty=4)

        assert table.rank("Ash", "hacking") == 1
        assert "Hacking" in SUGGESTION_LISTS["skill"](None, table.scene.settings)

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"name": "Spot"}, "There is already a skill Spot."),
            ({"name": "a:b"}, "Choose a name without a colon."),
            ({"name": "x", "synergies": "Nothing: 2"}, "There is no skill “Nothing” in this campaign."),
            ({"name": "x", "synergies": "Spot: far"}, "“Spot: far” isn't a synergy."),
        ],
    )
    def test_an_added_skill_with_invalid_options_is_refused(
        self, table: GameTable, options: dict[str, str], what: str
    ) -> None:
        assert table.why("GM", "add_skill", **options) == what

    def test_an_added_skill_may_require_a_rank_in_another_skill(self, table: GameTable) -> None:
        table.do("GM", "add_skill", name="Surgery", default=1, requires="Finesse", rank=3)
        assert table.why("Ash", "roll", skill="surgery") == "Surgery needs Finesse 3 first."

    def test_the_gm_adds_a_synergy_between_two_skills_of_the_book(self, table: GameTable) -> None:
        table.do("GM", "add_synergy", one="swim", other="jump", degree=1)
        table.do("GM", "set_rank", target="Ash", skill="swim", rank=4)
        assert table.rank("Ash", "jump") == 3

        assert table.why("GM", "add_synergy", one="jump", other="swim") == (
            "Jump and Swim already have a synergy."
        )
        assert table.why("GM", "add_synergy", one="jump", other="jump") == (
            "A skill can't have synergy with itself."
        )

    def test_added_skills_are_stored_with_the_campaigns_settings(self, table: GameTable) -> None:
        table.do("GM", "add_skill", name="Hacking")
        again = SwimSettings.model_validate_json(table.scene.settings.model_dump_json())

        assert again == table.scene.settings
        assert SwimSettings.model_validate({"skills": "", "rank_cap": "none"}) == SETTINGS
        typed = SwimSettings.model_validate({"skills": '[{"key": "x", "name": "X"}]'})
        assert typed.skills == (SwimSkill(key="x", name="X"),)


class TestLookingUp:
    def test_the_synergies_of_a_skill_can_be_looked_up(self) -> None:
        table = solo({"spot": 4})
        assert (
            table.do("Ash", "synergy", skill="spot").notes[0]
            == "Mental Defense 1: synergy degree 2, at least 2"
        )
        assert table.do("Ash", "synergy", skill="swim").notes == ("It has no synergies.",)

    def test_a_character_specializes_in_a_skill_once(self) -> None:
        table = solo({"basic_ranged": 3})
        done = table.do("Ash", "specialise", skill="basic ranged", tag="longbow")
        assert done.notes == ("Unlocked Basic Ranged (longbow) 1 (synergy with Basic Ranged).",)
        again = {"skill": "basic ranged", "tag": "Longbow"}
        assert table.why("Ash", "specialise", **again).endswith("is already on the sheet.")
        assert table.why("Ash", "specialise", skill="composure", tag="x") == "Composure can't be specialized."
        assert table.why("Ash", "specialise", skill="craft", tag=" ") == "A specialization needs a name."

    def test_the_log_of_epic_successes_shows_the_latest_15(self) -> None:
        table = solo({"spot": 1})
        assert table.do("Ash", "epics").notes == ("No epic successes yet.",)
        for _ in range(16):
            rank = table.rank("Ash", "spot")
            table.do("Ash", "roll", " ".join("6" * rank), skill="spot", difficulty=6)
        told = table.do("Ash", "epics").notes
        assert told[-1] == "… and 1 earlier"
        assert told[-2] == "Spot 2 → 3: 6 6 (difficulty 6)"


class TestGmDecisions:
    @pytest.mark.parametrize(
        ("state", "found"),
        [("soaked", "is_soaked"), ("hovering", "is_hovering"), ("prone", "is_prone")],
    )
    def test_the_gm_makes_a_character_soaked_hovering_or_prone(
        self, table: GameTable, state: str, found: str
    ) -> None:
        table.do("GM", "set_state", target="Ash", state=state)
        assert getattr(table.sheet("Ash").states, found)
        table.do("GM", "set_state", target="Ash", state=state, on=False)
        assert not getattr(table.sheet("Ash").states, found)

    def test_the_gm_can_set_and_end_states_but_cannot_stun(self, table: GameTable) -> None:
        table.change("Ash", states=States(held_by=CharacterId(2), hidden_from=(CharacterId(2),)))
        assert (
            table.why("GM", "set_state", target="Ash", state="stunned")
            == "Only an attack can cause this state."
        )
        table.do("GM", "set_state", target="Ash", state="held", on=False)
        table.do("GM", "set_state", target="Ash", state="hidden", on=False)
        assert table.sheet("Ash").states == States()
        for state in ("undead", "dead", "learns", "stable"):
            table.do("GM", "set_state", target="Orc", state=state)
        orc = table.sheet("Orc")
        assert (orc.tags, orc.is_dead, orc.tracks_advancement, orc.stable) == (
            ("undead",),
            True,
            True,
            ("physical",),
        )

    def test_a_rank_lowered_by_the_gm_lowers_no_other_skill(self) -> None:
        table = solo({"fire": 5})
        done = table.do("GM", "set_rank", target="Ash", skill="fire", rank=2)
        assert (done.headline, done.notes) == ("sets Ash's Fire: 5 → 2", ())

    def test_the_gm_makes_the_ground_smooth_in_a_fight(self, table: GameTable) -> None:
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("GM", "terrain", level=0)


def test_option_fields_suggest_names_from_the_sheet_and_the_lists() -> None:
    table = solo({"craft:wood": 1}, items=["Knife"])
    table.do("Ash", "attack", "3", skill="throw", targets=("Orc",), distance=1)
    character = table.named("Ash")
    offered: dict[str, Any] = {
        kind: list(offer(character, SETTINGS)) for kind, offer in SUGGESTION_LISTS.items()
    }

    assert offered["skill"][0] == "Craft: wood"
    assert offered["attack"] == ["Basic Melee", "Basic Ranged", "Throw"]
    assert (offered["own_item"], offered["lying"]) == ([], ["Knife"])
    assert len(offered["item"]) == 10
    assert len(offered["every_item"]) == 17
    assert offered["preset"][0] == "Orc"
    assert [len(SUGGESTION_LISTS[kind](None, SETTINGS)) for kind in ("attack", "own_item", "lying")] == [
        3,
        0,
        0,
    ]


def test_only_skills_with_dice_are_suggested_for_rolling() -> None:
    table = solo({"basic_ranged:long_bow": 1}, items=["Eternal Torch"])
    own = SUGGESTION_LISTS["rollable"](table.named("Ash"), SETTINGS)
    anybody = SUGGESTION_LISTS["rollable"](None, SETTINGS)

    assert own[:2] == ["Basic Ranged: long bow", "Physical Defense"]
    assert ("Fire" in own, "Water" in own, "Pick Lock" in own, "Composure" in own) == (
        True,
        False,
        False,
        False,
    )
    assert ("Water" in anybody, "Composure" in anybody) == (True, False)
    for name in own:
        table.do("Ash", "buildup", "3", skill=name)
        table.do("Ash", "abandon")


def test_the_ruleset_has_its_command_and_unique_rule_texts() -> None:
    assert (RULESET.key, RULESET.command) == ("swim_class", "swim")
    assert len({rule.title for rule in RULESET.glossary}) == len(RULESET.glossary)
    assert len({entry for rule in RULESET.glossary for entry in rule.ids}) == 157
    with pytest.raises(UserError):
        BOOK.definition("nothing")


@pytest.mark.rule("SWIM-CHAR-06", "SWIM-CHAR-07", "SWIM-SYN-01")
class TestEditedLists:
    """The lists that a GM edits by forms."""

    SKILLS, SYNERGIES = LISTS
    HACKING = SwimSkill(key="hacking", name="Hacking")
    SETTINGS = SwimSettings(
        skills=(HACKING, SwimSkill(key="coding", name="Coding")),
        synergies=(Synergy(one="hacking", other="finesse", degree=2),),
    )

    @pytest.mark.parametrize(
        ("name", "before", "told"),
        [
            ("Riding", None, ""),
            ("", None, "Choose a name without a colon."),
            ("  ", None, "Choose a name without a colon."),
            ("a:b", None, "Choose a name without a colon."),
            ("Spot", None, "There is already a skill Spot."),
            ("hacking", None, "There is already a skill Hacking."),
            ("Hacking", "hacking", ""),
            ("Coding", "hacking", "There is already a skill Coding."),
            ("Net running", "hacking", ""),
        ],
    )
    def test_a_skill_needs_a_name_of_its_own(self, name: str, before: str | None, told: str) -> None:
        row = {"name": name}
        old = None if before is None else {"key": before, "name": before}
        if told:
            with pytest.raises(UserError) as refused:
                self.SKILLS.complete(self.SETTINGS, old, row)
            assert refused.value.what == told
            return
        made = self.SKILLS.complete(self.SETTINGS, old, row)
        assert made == (row if old else {"group": "custom", "key": "riding", "name": "Riding"})

    @pytest.mark.parametrize(
        ("one", "other", "before", "told"),
        [
            ("swim", "jump", None, ""),
            ("swim", "Swim", None, "A skill can't have synergy with itself."),
            ("finesse", "hacking", None, "Finesse and Hacking already have a synergy."),
            ("brawn", "throw", None, "Brawn and Throw already have a synergy."),
            ("Finesse", "Hacking", ("hacking", "finesse"), ""),
            ("Brawn", "Throw", ("hacking", "finesse"), "Brawn and Throw already have a synergy."),
            ("Coding", "Hacking", ("hacking", "finesse"), ""),
        ],
    )
    def test_two_skills_have_one_synergy(
        self, one: str, other: str, before: tuple[str, str] | None, told: str
    ) -> None:
        old = None if before is None else {"one": before[0], "other": before[1], "degree": 2}
        row = {"one": one, "other": other, "degree": 3}
        if told:
            with pytest.raises(UserError) as refused:
                self.SYNERGIES.complete(self.SETTINGS, old, row)
            assert refused.value.what == told
            return
        made = self.SYNERGIES.complete(self.SETTINGS, old, row)
        assert made == {"one": one.casefold(), "other": other.casefold(), "degree": 3}
        assert self.SYNERGIES.shown(self.SETTINGS, made)["other"] == other.capitalize()

    def test_a_removed_skill_takes_its_synergies_along_unless_another_needs_it(self) -> None:
        source = self.SKILLS.source
        assert isinstance(source, FieldRows)
        assert source.then is not None
        changed = source.then(
            self.SETTINGS, SwimSettings(skills=self.SETTINGS.skills[1:], synergies=self.SETTINGS.synergies)
        )
        assert isinstance(changed, SwimSettings)
        assert changed.synergies == ()
        assert source.then(self.SETTINGS, self.SETTINGS) == self.SETTINGS

        for needing in ({"requires": [{"skill": "hacking", "rank": 1}]}, {"opposed_by": ["hacking"]}):
            tied = SwimSkill.model_validate({"key": "coding", "name": "Coding", **needing})
            with pytest.raises(UserError, match="Coding needs Hacking"):
                source.then(self.SETTINGS, SwimSettings(skills=(tied,)))


@pytest.mark.rule("SWIM-RACE-06", "SWIM-SYN-01", "SWIM-SYN-02")
class TestCorrections:
    @pytest.mark.parametrize(("degree", "is_one"), [("0", True), ("10", True), ("11", False), ("x", False)])
    def test_a_synergy_has_a_degree_of_10_at_most(self, table: GameTable, degree: str, is_one: bool) -> None:
        options = {"name": "Hacking", "synergies": f"Finesse: {degree}"}
        if is_one:
            table.do("GM", "add_skill", **options)
            assert table.scene.settings.synergies[0].degree == int(degree)
        else:
            assert table.why("GM", "add_skill", **options).endswith("isn't a synergy.")


@pytest.mark.parametrize(
    ("state", "on", "before", "after", "told"),
    [
        ("prone", True, {}, {"is_prone": True}, "Bram is prone"),
        ("prone", False, {"is_prone": True}, {}, "Bram is no longer prone"),
        ("soaked", True, {}, {"is_soaked": True}, "Bram is soaked"),
        ("hovering", False, {"is_hovering": True}, {}, "Bram is no longer hovering"),
        ("held", False, {"held_by": 1, "stunned_by": 1}, {"stunned_by": 1}, "Bram is no longer held"),
        ("stunned", False, {"held_by": 1, "stunned_by": 1}, {"held_by": 1}, "Bram is no longer stunned"),
        ("hidden", False, {"hidden_from": (4,)}, {}, "Bram is no longer hidden"),
    ],
)
def test_a_gm_sets_and_ends_states(
    table: GameTable, state: str, on: bool, before: dict[str, Any], after: dict[str, Any], told: str
) -> None:
    table.change("Bram", states=States.model_validate(before))

    assert table.do("GM", "set_state", target="Bram", state=state, on=on).headline == f"rules: {told}"
    assert table.sheet("Bram").states == States.model_validate(after)


@pytest.mark.parametrize("state", ["held", "stunned"])
def test_only_an_attack_holds_or_stuns(table: GameTable, state: str) -> None:
    assert table.why("GM", "set_state", target="Bram", state=state) == (
        "Only an attack can cause this state."
    )


@pytest.mark.parametrize(
    ("state", "field", "off", "on"),
    [
        ("dead", "is_dead", False, True),
        ("learns", "tracks_advancement", False, True),
        ("stable", "stable", (), (Pool.PHYSICAL,)),
        ("undead", "tags", ("old",), ("old", "undead")),
    ],
)
def test_a_gm_sets_and_ends_what_lasts(table: GameTable, state: str, field: str, off: Any, on: Any) -> None:
    table.change("Orc", tags=("old",))
    for _ in range(2):
        table.do("GM", "set_state", target="Orc", state=state)
        assert getattr(table.sheet("Orc"), field) == on
    for _ in range(2):
        table.do("GM", "set_state", target="Orc", state=state, on=False)
        assert getattr(table.sheet("Orc"), field) == off


@pytest.mark.rule("SWIM-RACE-06")
def test_a_gm_gives_changes_and_takes_traits(table: GameTable) -> None:
    def traits() -> list[tuple[str, int, int | None]]:
        return [(one.key, one.degree, one.penalty) for one in table.sheet("Orc").traits]

    assert table.do("GM", "set_trait", target="Orc", trait="large", degree=2).headline == "gives Orc Large 2"
    table.do("GM", "set_trait", target="Orc", trait="fins", degree=1, penalty=0)
    assert traits() == [("large", 2, None), ("fins", 1, 0)]
    table.do("GM", "set_trait", target="Orc", trait="large", degree=3)
    assert traits() == [("fins", 1, 0), ("large", 3, None)]
    gone = table.do("GM", "set_trait", target="Orc", trait="fins", degree=0)
    assert (gone.headline, traits()) == ("takes Fins from Orc", [("large", 3, None)])


@pytest.mark.rule("SWIM-SYN-01", "SWIM-SYN-02")
@pytest.mark.parametrize(
    ("rank", "told", "throw"),
    [(5, "sets Ash's Basic Ranged: 3 → 5", 3), (3, "sets Ash's Basic Ranged: 3 → 3", 0),
     (2, "sets Ash's Basic Ranged: 3 → 2", 0)],
)  # fmt: skip
def test_only_a_rank_that_a_gm_raises_pulls_others_along(rank: int, told: str, throw: int) -> None:
    table = lay_table(Ash=sheet({"basic_ranged": 3, "throw": 0}))
    done = table.do("GM", "set_rank", target="Ash", skill="basic ranged", rank=rank)

    assert (done.headline, table.rank("Ash", "throw")) == (told, throw)
    assert bool(done.notes) is bool(throw)


@pytest.mark.rule("SWIM-CHAR-06", "SWIM-CHAR-07", "SWIM-SYN-05")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"name": "Hacking"}, (1, 2, {})),
        ({"name": "Hacking", "default": 0, "special": 11}, (0, None, {})),
        ({"name": "Hacking", "special": 10}, (1, 10, {})),
        ({"name": "Hacking", "special": 0}, (1, 0, {})),
        ({"name": "Hacking", "synergies": "Finesse: 10, spot"}, (1, 2, {"finesse": 10, "spot": 2})),
        ({"name": "Hacking", "synergies": "Finesse: 0"}, (1, 2, {"finesse": 0})),
        ({"name": "Hacking", "synergies": "Finesse: 11"}, "“Finesse: 11” isn't a synergy."),
        ({"name": "Hacking", "synergies": "Finesse: x"}, "“Finesse: x” isn't a synergy."),
        ({"name": "A: b"}, "Choose a name without a colon."),
        ({"name": "climb"}, "There is already a skill Climb."),
    ],
)
def test_what_a_gm_says_of_a_new_skill_is_what_it_is(
    table: GameTable, options: dict[str, Any], told: tuple[int, int | None, dict[str, int]] | str
) -> None:
    if isinstance(told, str):
        assert table.why("GM", "add_skill", **options) == told
        return
    table.do("GM", "add_skill", **options)
    settings = table.scene.settings
    assert isinstance(settings, SwimSettings)
    (skill,) = settings.skills

    edges = {edge.other: edge.degree for edge in settings.synergies}
    assert (skill.default, skill.special_degree, edges) == told


@pytest.mark.rule("SWIM-CHAR-07", "SWIM-SYN-01")
def test_two_skills_have_one_synergy_whichever_is_named_first(table: GameTable) -> None:
    done = table.do("GM", "add_synergy", one="climb", other="jump", degree=3)
    assert done.headline == "connects Climb and Jump with synergy 3"
    again = "Jump and Climb already have a synergy."
    assert table.why("GM", "add_synergy", one="jump", other="climb") == again
    assert table.why("GM", "add_synergy", one="brawn", other="throw").endswith("already have a synergy.")
    assert table.why("GM", "add_synergy", one="jump", other="jump") == (
        "A skill can't have synergy with itself."
    )
    assert table.do("GM", "add_synergy", one="jump", other="swim").headline == (
        "connects Jump and Swim with synergy 2"
    )


@pytest.mark.rule("SWIM-COMB-17", "SWIM-ITEM-07", "SWIM-COMB-11")
def test_a_gm_gives_heals_and_makes_anew(table: GameTable) -> None:
    for key in table.named("Orc").resources:
        table.set("Orc", key, 1 if key == "scratches" else 3)
    for points, told, left in (
        (1, "heals 1 physical wound of Orc", 2),
        (9, "heals 2 physical wounds of Orc", 0),
    ):
        assert table.do("GM", "mend", target="Orc", points=points).headline == told
        assert table.points("Orc", "physical_wounds") == left
    for count in (2, 3):
        table.do("GM", "give", target="Orc", item="arrow", quantity=count)
    arrows = table.sheet("Orc").find_item("Arrow")
    assert arrows is not None
    assert arrows.quantity == 5
    table.do("GM", "preset", target="Orc", preset="orc")
    assert set(table.named("Orc").resources.values()) == {0}


def campaign() -> GameTable:
    table = lay_table()
    table.settings(world="Neon", sp_per_gp=20, wheel_order="fire, wind, life, earth, death, water")
    table.do("GM", "add_skill", name="Fast Talk", synergies="Finesse: 3", opposed="Spot", note="T4: a lie")
    table.do("GM", "add_skill", name="Surgery", requires="Fast Talk", rank=2, special=11)
    table.do("GM", "add_synergy", one="swim", other="jump", degree=1)
    return table


def settings_in(table: GameTable) -> SwimSettings:
    assert isinstance(table.scene.settings, SwimSettings)
    return table.scene.settings


@pytest.mark.rule("SWIM-CHAR-07")
@pytest.mark.parametrize("kind", list(FileKind))
def test_a_campaigns_own_rules_are_written_to_a_file_and_read_back(kind: FileKind) -> None:
    settings = settings_in(campaign())

    assert read_written(write_document(settings, kind), kind, MODULE.form) == settings
    assert MODULE.title(settings) == "Neon"
    assert MODULE.summary(settings) == (
        "2 own skills: Fast Talk, Surgery",
        "2 own synergies",
        "Changed settings: sp_per_gp, wheel_order",
    )


@pytest.mark.rule("SWIM-CHAR-07")
def test_a_campaign_can_go_back_to_the_rules_of_the_book() -> None:
    settings = settings_in(campaign())

    assert MODULE.choosing(settings, "book") == SwimSettings()
    assert MODULE.title(SwimSettings()) == "As in the book"
    assert MODULE.title(SwimSettings(sp_per_gp=12)) == "The campaign's own"
    assert MODULE.carrying(SwimSettings(), settings) == MODULE.carried(settings) == settings


@pytest.mark.rule("SWIM-CHAR-07")
def test_every_contradiction_in_a_rules_file_is_reported_with_its_line() -> None:
    text = """
skills = [
  { key = "fast talk", name = "Fast Talk" },
  { key = "surgery", name = "Surgery", requires = [{ skill = "medicine", rank = 2 }] },
  { key = "surgery", name = "Surgery", opposed_by = ["luck"] },
]
synergies = [
  { one = "surgery", other = "alchemy", degree = 2 },
  { one = "spot", other = "spot", degree = 2 },
  { one = "throw", other = "brawn", degree = 2 },
]
"""
    with pytest.raises(UserErrors) as told:
        read_written(text, FileKind.TOML, MODULE.form)

    assert told.value.problems == (
        "Line 3: “fast talk” isn't a valid key. Write keys like fast_talk.",
        "Line 4: Surgery: there is no skill medicine.",
        "Line 5: There are two skills with the key surgery.",
        "Line 5: Surgery: there is no skill luck.",
        "Line 8: There is no skill alchemy.",
        "Line 9: spot can't have synergy with itself.",
        "Line 10: throw and brawn already have a synergy.",
    )


@pytest.mark.rule("SWIM-CHAR-07")
def test_a_campaign_may_replace_a_skill_of_the_book() -> None:
    text = '[[skills]]\nkey = "pick_lock"\nname = "Locks"\ndefault = 1\n'
    settings = read_written(text, FileKind.TOML, MODULE.form)
    table = lay_table()
    table.settings(**settings.model_dump())

    assert MODULE.hints(settings) == ("Locks replaces the book's Pick Lock.",)
    assert words(table.do("Ash", "roll", "4", skill="locks", difficulty=4)) == "1 progress"


@pytest.mark.rule("SWIM-CHAR-07")
def test_ranks_in_skills_the_campaign_no_longer_has_stay_on_the_sheet_and_are_reported() -> None:
    table = solo({"hacking": 2, "hacking:ice": 1, "spot": 2})
    held = table.sheet("Ash")

    assert [problem.sentence for problem in module_problems(held, SwimSettings())] == [
        "There is no skill hacking in this campaign.",
        "There is no skill hacking:ice in this campaign.",
    ]
    assert table.do("Ash", "synergy", skill="spot").headline == "looks at Spot 2"
    assert table.why("Ash", "roll", skill="hacking").startswith("There is no skill “hacking”")


@pytest.mark.rule("SWIM-CHAR-07")
def test_synergies_with_skills_that_are_gone_do_nothing() -> None:
    table = solo({"spot": 3})
    table.settings(synergies='[{"one": "spot", "other": "hacking", "degree": 0}]')
    table.do("Ash", "roll", "5 5 5", skill="spot", difficulty=4)

    assert table.rank("Ash", "spot") == 4


@pytest.mark.rule("SWIM-CHAR-07")
def test_an_added_skill_may_have_a_note_a_counter_and_no_specialisations() -> None:
    table = campaign()

    assert table.do("Ash", "synergy", skill="fast talk").notes == (
        "T4: a lie",
        "Finesse 1: synergy degree 3, at least 0",
    )
    assert table.why("Ash", "specialise", skill="surgery", tag="hand") == "Surgery can't be specialized."
    assert [skill.opposed_by for skill in settings_in(table).skills] == [("spot",), ()]
    assert sheet({"fast_talk": 2}).ranks["fast_talk"] == 2


@pytest.mark.rule("SWIM-CHAR-07")
def test_a_skill_with_a_colon_and_nothing_behind_it_is_the_skill() -> None:
    book = book_of(SwimSettings())

    assert (book.find("Craft:"), book.find("Craft: Bows")) == ("craft", "craft:bows")
