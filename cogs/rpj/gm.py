"""The command texts of improvised NPCs and traits."""

from bot.ui.commands.options import CommandSpec

GM = (
    "Improvise NPCs and traits (GM)",
    (
        CommandSpec(
            name="npc",
            about="Get a level for an NPC without a sheet, and roll it",
            options={
                "how": "How good they are (the last three: for an attribute)",
                "trade": "How close this is to their trade (default: part of it)",
                "what": "Skill or attribute",
                "difficulty": "A number, a target such as 10+, or a name",
            },
            completes={"difficulty": "difficulty"},
            has_actor=False,
            can_be_secret=True,
            can_count=True,
        ),
        CommandSpec(
            name="trait",
            procedure="give_trait",
            about="Make up a trait for a character; it counts in rolls",
            options={
                "target": "Character",
                "name": "Its name",
                "kind": "Gift, fault or quirk",
                "value": "Modifier to the roll",
                "on": "Kind of roll it modifies",
                "of": "Only this skill or attribute",
                "when": "Only when the player says this applies",
                "about": "Description",
                "cost": "Cost in character points (negative: gives points)",
            },
            completes={"of": "skill"},
            has_actor=False,
        ),
        CommandSpec(
            name="invert",
            about="Turn a gift into a fault for this campaign",
            options={
                "gift": "Gift",
                "name": "Name of the fault",
                "refund": "Points it gives (default: half the gift's cost)",
            },
            completes={"gift": "trait"},
            has_actor=False,
        ),
    ),
)
