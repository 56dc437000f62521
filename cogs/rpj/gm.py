"""The words of the GM's help."""

from bot.ui.commands.options import CommandSpec

GM = (
    "GM: help on the spot",
    (
        CommandSpec(
            name="npc",
            about="GM: a level for somebody without a sheet, by one word",
            options={
                "how": "How good they are; the last three are for an attribute",
                "trade": "How close to what they do; in it where left out",
                "what": "Which skill or attribute",
                "difficulty": "What they check it against: a number, 10+, or a name",
            },
            completes={"difficulty": "difficulty"},
            has_actor=False,
            can_be_secret=True,
            can_count=True,
        ),
        CommandSpec(
            name="trait",
            procedure="give_trait",
            about="GM: make up a trait for somebody; it acts in rolls",
            options={
                "target": "Who gets it",
                "name": "What it is called",
                "kind": "Gift, fault or quirk",
                "value": "What it adds to a roll; below 0 takes off",
                "on": "To which kind of roll",
                "of": "To one skill or attribute only",
                "when": "Only when the player says that this holds",
                "about": "What it is, in words",
                "cost": "Character points it costs; below 0 refunds",
            },
            completes={"of": "skill"},
            has_actor=False,
        ),
        CommandSpec(
            name="invert",
            about="GM: turn a gift into a fault of the campaign",
            options={
                "gift": "Which gift",
                "name": "What the fault is called",
                "refund": "Points it gives back; half of the gift's cost where left out",
            },
            completes={"gift": "trait"},
            has_actor=False,
        ),
    ),
)
