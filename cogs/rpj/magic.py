"""The command texts of `/rpj-magic`: spells and abilities."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

AT = "In a fight: targets, mooks too, separated by commas"
SPELL = {"spell": "Spell"}
SPELLS = (
    CommandSpec(
        name="cast",
        about="Cast a spell you know, using a slot",
        options={
            **SPELL,
            "target": "Target",
            "slot": "Level of the slot (default: the lowest that fits)",
            "at": AT,
        },
        completes={"spell": "spell", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="slots", about="See your slots, prepared spells and known spells"),
    CommandSpec(
        name="prepare",
        about="Prepare a spell, in a slot or on your list",
        options={
            **SPELL,
            "slot": "Level of the slot (default: the lowest free one)",
            "drop": "Remove it from the list instead",
        },
        completes={"spell": "spell"},
    ),
    CommandSpec(name="concentrate", about="Start concentrating: each hour of game time restores slots"),
)
NAMED = {"ability": "Ability"}
ABILITIES = (
    CommandSpec(
        name="make",
        about="Build an ability from menus, with its cost and chance",
        procedure="build",
        options={"skill": "Ability skill (default: your best)", "target": "Target"},
        completes={"skill": "ability skill"},
    ),
    CommandSpec(
        name="use",
        about="Use a saved ability",
        procedure="use_ability",
        options={
            **NAMED,
            "target": "Target",
            "unwilling": "The target resists being touched",
            "at": AT,
        },
        completes={"ability": "ability", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="list", about="See your stamina and your abilities' costs", procedure="abilities"),
    CommandSpec(
        name="practice",
        packs=(Pack.PRACTICED_IMPROVISATION,),
        about="Practice an ability for a month: it costs 1 less from then on",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(
        name="forget",
        about="Delete a saved ability",
        procedure="forget_ability",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(name="strain", about="Roll against strain when you are out of stamina"),
)
GM_MAGIC = (
    CommandSpec(
        name="teach",
        about="Teach a character a spell, or make them forget it",
        options={"target": "Character", **SPELL, "forget": "They forget it instead"},
        completes={"spell": "any spell"},
        has_actor=False,
    ),
    CommandSpec(
        name="spell",
        about="Add a custom spell to the campaign",
        procedure="add_spell",
        options={
            "name": "Its name",
            "level": "From 0 (at will) to 6",
            "skill": "Magic skill it belongs to (default: the first)",
            "about": "What it does",
            "attack": "It needs an attack roll",
            "save": "Roll to resist it",
            "damage": "Damage (default: none)",
            "nonlethal": "Its damage knocks out instead of killing",
            "range": "Range in regions (default: the caster's group)",
            "actions": "Actions it takes in a fight (default: 1)",
            "minutes": "Casting time in minutes instead of actions",
        },
        completes={"skill": "magic skill"},
        has_actor=False,
    ),
    CommandSpec(
        name="disturb",
        about="Break a character's concentration",
        procedure="break_off",
        options={"target": "Character"},
        has_actor=False,
    ),
)

MAGIC = CommandGroup(
    name="magic",
    about="RPJ Core: spells and abilities",
    lines=of_packs(SPELLS, Pack.STRUCTURED_MAGIC),
    groups={"ability": ("Build and use your own abilities", of_packs(ABILITIES, Pack.WILD_MAGIC))},
)
