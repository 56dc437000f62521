"""A campaign's module: which one it plays, how it is described, and its lists that a GM edits. [RPJ-GM-06]"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import OWN_MODULE, EditableList
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj.game_parts.campaign_module import LISTS, MODULE_RULE
from bot.rules.rpj.module.module import Module, Pack, RpjTrait
from bot.rules.rpj.module.module_files import (
    MODULES,
    RpjSettings,
    Shipped,
    module_in,
    module_of,
    stated_module,
)
from tests.rules.rpj.people import with_trait

FANTASY = RpjSettings(module=Shipped.FANTASY)
EDITED = {one.key: one for one in LISTS}
OWN_TRAIT = RpjTrait.model_validate({"id": "owl", "name": "Owl", "kind": "quirk"})


def put(
    key: str, settings: RpjSettings, before: str | None = None, **typed: str | Sequence[str]
) -> tuple[RpjSettings, Mapping[str, Any]]:
    """An entry of a list as a GM leaves the form: what they don't touch is as the form shows it."""
    edited: EditableList[RpjSettings] = EDITED[key]
    row = {} if before is None else edited.shown(settings, edited.found(settings, before))
    shown = {column.key: column.typed(row) for column in edited.columns}
    given = {name: (value,) if isinstance(value, str) else value for name, value in typed.items()}
    changed, entry = edited.put(settings, before, {**shown, **given})
    assert isinstance(changed, RpjSettings)
    return changed, entry


def without(key: str, settings: RpjSettings, id_: str) -> RpjSettings:
    changed, _gone = EDITED[key].without(settings, id_)
    assert isinstance(changed, RpjSettings)
    return changed


class TestModulePlayed:
    @pytest.mark.parametrize("key", [*Shipped, OWN_MODULE])
    def test_a_campaign_plays_the_module_it_chooses(self, key: str) -> None:
        chosen = MODULE_RULE.choosing(RpjSettings(), key)

        assert chosen.module == key
        assert stated_module(chosen) == MODULES[Shipped.GENERIC if key == OWN_MODULE else key]

    def test_a_campaigns_own_trait_joins_the_module_it_fits_once(self) -> None:
        settings = FANTASY.with_own(OWN_TRAIT)
        ids = [trait.id for trait in MODULES["fantasy"].traits]

        assert [trait.id for trait in MODULE_RULE.carried(settings).traits] == [*ids, "owl"]
        has_it = with_trait("owl").model_copy(update={"name": "Has it"})
        carried = MODULE_RULE.carried(settings.with_module(has_it).model_copy(update={"module": OWN_MODULE}))
        assert [trait.id for trait in carried.traits] == [*ids, "owl"]

    def test_a_trait_that_refers_to_another_modules_skill_waits_for_that_module(self) -> None:
        effects = [{"type": "roll_bonus", "on": "skill", "of": "archery", "value": 1}]
        settings = RpjSettings().with_own(
            RpjTrait.model_validate({**OWN_TRAIT.model_dump(), "effects": effects})
        )

        assert [
            key
            for key in Shipped
            if MODULE_RULE.carried(settings.model_copy(update={"module": key})).trait("owl")
        ] == ["fantasy"]


class TestDescription:
    def test_an_empty_module_is_described_as_empty(self) -> None:
        assert MODULE_RULE.summary(Module(id="bare", name="Bare")) == (
            "The module is empty",
            "Optional rules of the module: none",
        )

    def test_a_description_counts_what_a_module_has_and_names_what_crosses_damage_scales(self) -> None:
        module = module_of(
            {
                "id": "one",
                "name": "One",
                "skills": [{"id": "lore", "name": "Lore", "linked": ["INT"]}],
                "armor": [{"id": "coat", "name": "Coat", "saves": [7]}],
                "gear": [{"id": "rope", "name": "Rope"}, {"id": "lamp", "name": "Lamp"}],
                "magic": {"word": "psalmody", "skills": [{"skill": "lore"}]},
                "spells": [
                    {"id": id_, "name": id_, "level": 1, "magic_skill": "lore"} for id_ in ("hum", "song")
                ],
                "optional_rules": ["damage_scales", "cinematic_combat"],
                "credits": "By Sable.",
            }
        )

        assert MODULE_RULE.summary(module) == (
            "1 skill · 3 pieces of armor and gear · 2 psalmodies",
            "Optional rules of the module: Damage scales, Cinematic combat",
            "With damage scales: mega and giga saves for legendary foes",
            "By Sable.",
        )

    @pytest.mark.parametrize(
        ("packs", "crossing"),
        [
            ([], 0),
            (["damage_scales"], 0),
            (["fire_and_movement", "cinematic_combat"], 0),
            (["damage_scales", "fire_and_movement"], 1),
        ],
    )
    def test_damage_scales_cross_only_the_rules_that_are_on(self, packs: list[str], crossing: int) -> None:
        module = Module(id="bare", name="Bare", optional_rules=tuple(map(Pack, packs)))

        assert len(MODULE_RULE.summary(module)) == 2 + crossing

    def test_the_rules_that_are_on_and_off_make_up_all_of_them(self) -> None:
        on, off, _how = MODULE_RULE.standing(RpjSettings(money=True, inventory=True))

        assert on == "Optional rules on: Money, Inventory"
        assert off == "Off: " + ", ".join(
            pack.in_words for pack in Pack if pack not in (Pack.MONEY, Pack.INVENTORY)
        )
        assert MODULE_RULE.standing(RpjSettings())[0] == "Optional rules on: none"
        assert MODULE_RULE.standing(RpjSettings(packs=list(Pack)))[1] == "Off: none"  # type: ignore[call-arg]  # read before


class TestEditing:
    @pytest.mark.parametrize(
        ("key", "typed"),
        [
            ("skills", {"name": "Sailing", "linked": ["DEX", "INT"]}),
            ("weapons", {"name": "Whip", "skill": "archery", "attribute": "DEX", "damage": "−1"}),
            ("armor", {"name": "Scales", "kind": "armor", "saves": "7, 8"}),
            ("gear", {"name": "Rope"}),
        ],
    )
    def test_an_entry_of_a_list_makes_the_module_the_campaigns_own(
        self, key: str, typed: dict[str, Any]
    ) -> None:
        before = getattr(stated_module(FANTASY), key)

        changed, entry = put(key, FANTASY, **typed)

        module = stated_module(changed)
        assert (changed.module, module.name) == (OWN_MODULE, "Fantasy (changed)")
        assert getattr(module, key)[:-1] == before
        assert getattr(module, key)[-1].name == entry["name"] == typed["name"]
        back = without(key, changed, str(entry["id"]))
        assert getattr(stated_module(back), key) == before
        assert stated_module(back).name == "Fantasy (changed)"

    def test_a_long_name_leaves_room_for_what_says_that_it_is_changed(self) -> None:
        changed, _skill = put("skills", FANTASY, name="Sailing", linked=["DEX"])
        named = changed.with_module(stated_module(changed).model_copy(update={"name": "N" * 60}))

        assert stated_module(put("gear", named, name="Rope")[0]).name == "N" * 60

    def test_an_entry_left_as_it_is_leaves_the_shipped_module(self) -> None:
        changed, _skill = put("skills", FANTASY, "archery")

        assert changed == FANTASY

    def test_an_entry_keeps_its_id_when_its_name_changes(self) -> None:
        changed, entry = put("skills", FANTASY, "archery", name="Bows")

        assert (entry["id"], entry["name"]) == ("archery", "Bows")
        assert [one.id for one in stated_module(changed).skills] == [
            one.id for one in MODULES["fantasy"].skills
        ]

    def test_a_name_without_a_visible_character_is_refused(self) -> None:
        with pytest.raises(UserError, match="visible character"):
            put("gear", FANTASY, name="   ")

    @pytest.mark.parametrize(
        ("specialties", "before", "has_specialty"),
        [("", None, False), ("Knots, Stars", None, True), ("", "crafting", True), ("", "archery", False)],
    )
    def test_a_skill_with_specialties_needs_one_of_them(
        self, specialties: str, before: str | None, has_specialty: bool
    ) -> None:
        more: dict[str, Any] = {} if before else {"name": "Sailing", "linked": ["DEX"]}

        _changed, entry = put("skills", FANTASY, before, specialties=specialties, **more)

        assert entry["has_specialty"] is has_specialty

    def test_a_weapon_is_given_its_skill_by_name(self) -> None:
        weapon = {"name": "Whip", "attribute": "DEX", "damage": "1"}

        assert put("weapons", FANTASY, skill=" small  BLADES ", **weapon)[1]["skill"] == "small_blades"
        with pytest.raises(UserError, match="no such skill as “Hacking”"):
            put("weapons", FANTASY, skill="Hacking", **weapon)

    @pytest.mark.parametrize("damage", ["21", "−6"])
    def test_a_value_out_of_bounds_is_refused(self, damage: str) -> None:
        with pytest.raises(ValidationError):
            put("weapons", FANTASY, name="Whip", skill="archery", attribute="DEX", damage=damage)

    def test_a_skill_that_other_entries_need_cannot_be_removed(self) -> None:
        with pytest.raises(UserErrors) as refused:
            without("skills", FANTASY, "archery")

        assert any(problem.startswith("Ranger: class ranger, skills") for problem in refused.value.problems)
        assert all("there is no archery" in problem for problem in refused.value.problems)

    def test_flaws_a_module_had_before_do_not_stand_in_the_way(self) -> None:
        flawed = module_of({"id": "one", "name": "One"}).model_copy(
            update={"weapons": MODULES["fantasy"].weapons}
        )
        settings = RpjSettings.model_validate({"module": OWN_MODULE}).with_module(flawed)

        changed, _rope = put("gear", settings, name="Rope")

        assert [one.name for one in stated_module(changed).gear] == ["Rope"]


class TestOwnEntries:
    def test_an_own_trait_is_added_beside_the_module(self) -> None:
        changed, entry = put("traits", FANTASY, name="Owl", kind="quirk")

        assert changed.module is Shipped.FANTASY
        assert [trait.id for trait in changed.traits] == ["owl"]
        assert EDITED["traits"].rows(changed)[-1] == entry
        assert without("traits", changed, "owl") == FANTASY

    def test_a_trait_of_the_module_is_changed_in_the_module(self) -> None:
        settings = FANTASY.with_own(OWN_TRAIT)
        first = MODULES["fantasy"].traits[0]

        changed, _entry = put("traits", settings, first.id, description="Anew.")

        assert changed.module == OWN_MODULE
        assert stated_module(changed).traits[0].description == "Anew."
        assert [trait.id for trait in changed.traits] == ["owl"]
        assert [row["id"] for row in EDITED["traits"].rows(changed)].count("owl") == 1

    def test_an_own_trait_with_the_id_of_one_of_the_module_is_not_listed_twice(self) -> None:
        first = MODULES["fantasy"].traits[0]
        settings = FANTASY.model_copy(update={"traits": (OWN_TRAIT.model_copy(update={"id": first.id}),)})

        rows = EDITED["traits"].rows(settings)

        assert [row["id"] for row in rows] == [trait.id for trait in MODULES["fantasy"].traits]
        changed, _entry = put("traits", settings, first.id)
        assert changed == settings

    def test_an_own_entry_keeps_an_imported_module(self) -> None:
        own, _rope = put("gear", FANTASY, name="Rope")

        changed, _owl = put("traits", own, name="Owl", kind="quirk")

        assert stated_module(changed) == stated_module(own)
        assert module_in(changed).trait("owl") is not None

    def test_spells_are_edited_only_where_structured_magic_is_on(self) -> None:
        assert not EDITED["spells"].is_on(FANTASY)
        assert EDITED["spells"].is_on(RpjSettings(structured_magic=True))

    def test_a_spell_needs_a_magic_skill(self) -> None:
        settings = RpjSettings(module=Shipped.FANTASY, structured_magic=True)
        magic = [module_in(settings).skill(rules.skill) for rules in module_in(settings).magic.skills]
        assert magic[0] is not None

        changed, entry = put("spells", settings, name="Hum", level="1", magic_skill=magic[0].name)

        assert entry["magic_skill"] == magic[0].id
        assert [spell.id for spell in changed.spells] == ["hum"]
        with pytest.raises(UserError, match="no such skill as “Archery”"):
            put("spells", settings, name="Hum", level="1", magic_skill="Archery")


class TestBlockedSkills:
    def test_a_blocked_skill_is_named_by_the_module_and_can_be_freed_again(self) -> None:
        changed, entry = put("blocked", FANTASY, name="small blades")

        assert entry == {"id": "small_blades", "name": "Small Blades"}
        assert changed.blocked_skills == ("small_blades",)
        assert EDITED["blocked"].rows(changed) == (entry,)
        assert without("blocked", changed, "small_blades") == FANTASY

    def test_a_blocked_skill_the_module_lacks_is_named_by_its_id(self) -> None:
        settings = RpjSettings(blocked_skills=("space_ships",))

        assert EDITED["blocked"].rows(settings) == ({"id": "space_ships", "name": "Space ships"},)
