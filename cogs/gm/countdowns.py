"""The GM's commands for countdowns: `/gm countdown`."""

from typing import Literal

from discord import app_commands

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Limits, Term, Visibility
from bot.table.gm import gm
from bot.table.play import countdown_actions, countdown_plans
from bot.table.play.countdown_actions import Edit
from bot.table.play.countdown_plans import Plan
from bot.ui.commands.options import completed_by
from bot.ui.input.answer import answer
from bot.ui.input.presses import Interaction, table_and_request
from bot.ui.live.countdown_board import put_here, show_done
from bot.ui.live.result_messages import tell
from bot.ui.text.reply import Field, Form, MenuField, Reply

complete_any_for_gm = completed_by(countdown_plans.choices, are_over=True, for_gm=True)
complete_check = completed_by(countdown_plans.link_choices)

Name = app_commands.Range[str, 1, 60]
Text = app_commands.Range[str, 1, 500]
Difficulty = app_commands.Range[int, 1, 12]
Steps = app_commands.Range[int, 1, 12]
Value = app_commands.Range[int, 0, 12]
Skills = app_commands.Range[int, 2, 12]
Kinds = Literal["success", "failure", "tug-of-war"]
Rivals = Literal["failure", "opposition"]
Seen = Literal["open", "known", "gm"]
Terms = Literal["short", "long"]
Unit = Literal["minutes", "hours", "days"]
SECONDS = {"minutes": 60, "hours": 3600, "days": 86_400}
SEEN = "open: everyone sees it; known: progress hidden; gm: only GMs see it"
TERM = "Short countdowns end with the session, long ones keep running"
ONE_BY_ONE = "Leave the other options out, and change them afterwards."


class CountdownCommands(app_commands.Group):
    """The GM's countdown commands."""

    @app_commands.command(name="create", description="Start a countdown")
    @app_commands.describe(
        name="Its name: a promise or a threat, not the outcome",
        kind="What advances it: successes, failures, or two sides pulling",
        difficulty="The number of steps, usually 2 to 6",
        start="Where a tug-of-war starts (default: the middle)",
        visibility=SEEN,
        term=TERM,
        once_a_day="Count one success per day of game time",
        once_each="Count one success per character",
        once_a_skill="Count one success per skill",
        skills="How many different skills are needed",
        every="Advance automatically after this much game time",
        unit="The unit of time",
        check="Every result of this check advances it automatically",
        players="Let players advance it by its button",
        consequence="What everyone reads when it resolves",
        note="A note only GMs can read",
    )
    @app_commands.autocomplete(check=complete_check)
    async def create(
        self,
        interaction: Interaction,
        name: Name,
        kind: Kinds,
        difficulty: Difficulty,
        start: Difficulty | None = None,
        visibility: Seen = "open",
        term: Terms = "short",
        once_a_day: bool = False,
        once_each: bool = False,
        once_a_skill: bool = False,
        skills: Skills | None = None,
        every: app_commands.Range[int, 1, 1000] | None = None,
        unit: Unit = "days",
        check: Name | None = None,
        players: bool = False,
        consequence: Text | None = None,
        note: Text | None = None,
    ) -> None:
        """Start a countdown."""
        plan = Plan(
            name=name,
            kind=Kind(kind),
            difficulty=difficulty,
            start=start,
            visibility=Visibility(visibility),
            term=Term(term),
            limits=Limits(
                per_day=once_a_day,
                per_member=once_each,
                per_skill=once_a_skill,
                distinct_skills=skills or 0,
            ),
            every_seconds=None if every is None else every * SECONDS[unit],
            is_shared=players,
            links=() if check is None else (check,),
            consequence=consequence or "",
            note=note or "",
        )
        await show_done(interaction, await countdown_plans.begin(*table_and_request(interaction), plan))

    @app_commands.command(name="duel", description="Start two rival countdowns; the first to finish decides")
    @app_commands.describe(
        name="What the players want",
        difficulty="The number of successes it takes",
        against="What is against them",
        against_difficulty="The number of steps that takes",
        by="What advances it: the players' failures or the opposition's successes",
        skills="How many different skills the players need to use",
        visibility=SEEN,
        term=TERM,
        check="Every result of this check advances both automatically",
    )
    @app_commands.autocomplete(check=complete_check)
    async def duel(
        self,
        interaction: Interaction,
        name: Name,
        difficulty: Difficulty,
        against: Name,
        against_difficulty: Difficulty,
        by: Rivals = "failure",
        skills: Skills | None = None,
        visibility: Seen = "open",
        term: Terms = "short",
        check: Name | None = None,
    ) -> None:
        """Start a duel."""
        shared = Plan(
            name=name,
            kind=Kind.SUCCESS,
            difficulty=difficulty,
            visibility=Visibility(visibility),
            term=Term(term),
            links=() if check is None else (check,),
            limits=Limits(distinct_skills=skills or 0),
        )
        rival = shared.against(
            against,
            against_difficulty,
            kind=Kind.FAILURE if by == "failure" else Kind.SUCCESS,
        )
        await show_done(
            interaction, await countdown_plans.begin(*table_and_request(interaction), shared, rival)
        )

    @app_commands.command(name="board", description="Post the countdown board in this channel")
    async def board(self, interaction: Interaction) -> None:
        """Post the board."""
        place, before = await countdown_plans.place_board(*table_and_request(interaction))
        await interaction.response.defer(ephemeral=True)
        client = interaction.client
        await put_here(client.boards, client.table, place, before)
        await answer(interaction, board_placed_reply())

    @app_commands.command(name="set", description="Change a countdown, move it back, or link it to a check")
    @app_commands.describe(
        name="The countdown",
        to="The new name",
        visibility=SEEN,
        term=TERM,
        players="Let players advance it by its button",
        consequence="What everyone reads when it resolves",
        note="A note only GMs can read",
        value="Set its value",
        back="Move it back this many steps",
        link="Every result of this check advances it",
        unlink="Results of this check no longer advance it",
    )
    @app_commands.autocomplete(name=complete_any_for_gm, link=complete_check, unlink=complete_check)
    async def set_(
        self,
        interaction: Interaction,
        name: Name,
        to: Name | None = None,
        visibility: Seen | None = None,
        term: Terms | None = None,
        players: bool | None = None,
        consequence: Text | None = None,
        note: Text | None = None,
        value: Value | None = None,
        back: Steps | None = None,
        link: Name | None = None,
        unlink: Name | None = None,
    ) -> None:
        """Change a countdown, move it back, link it, or remove a link."""
        table, request = table_and_request(interaction)
        texts = (to, visibility, term, players, consequence, note)
        moves = [one for one in (value, back, link, unlink) if one is not None]
        if len(moves) + any(one is not None for one in texts) > 1:
            await gm.require_gm(table, request)
            raise UserError("Moving a countdown or linking it is a change of its own.", ONE_BY_ONE)
        if value is not None:
            await show_done(interaction, await countdown_actions.move_to(table, request, name, value))
            return
        if back is not None:
            await show_done(interaction, await countdown_actions.move(table, request, name, -back))
            return
        if moves:
            done = await countdown_actions.link(
                table, request, name, str(moves[0]), is_linked=link is not None
            )
            await tell(interaction, done)
            return
        edit = Edit(
            name=to,
            visibility=None if visibility is None else Visibility(visibility),
            term=None if term is None else Term(term),
            is_shared=players,
            consequence=consequence,
            note=note,
        )
        await tell(interaction, await countdown_actions.change(table, request, name, edit))

    @app_commands.command(name="delete", description="Delete a countdown")
    @app_commands.describe(name="The countdown")
    @app_commands.autocomplete(name=complete_any_for_gm)
    async def delete(self, interaction: Interaction, name: Name) -> None:
        """Delete a countdown."""
        await tell(interaction, await countdown_actions.delete(*table_and_request(interaction), name))


# --- words ---------------------------------------------------------------------------------------
MOST_STEPS = 12
KIND_WORDS = {
    Kind.SUCCESS: "Successes",
    Kind.FAILURE: "The players' failures",
    Kind.TUG: "Two sides pull",
}
SIGHT_WORDS = {
    Visibility.OPEN: "Everyone",
    Visibility.KNOWN: "Everyone, without its progress",
    Visibility.GM: "Only GMs",
}


def new_form(id_: str) -> Form:
    """The form that starts a countdown.

    Args:
        id_: The id of its submission.
    """
    kinds = tuple(Choice(kind.value, words) for kind, words in KIND_WORDS.items())
    steps = tuple(Choice(str(number), str(number)) for number in range(1, MOST_STEPS + 1))
    sights = tuple(Choice(sight.value, words) for sight, words in SIGHT_WORDS.items())
    return Form(
        id=id_,
        title="New countdown",
        fields=(
            Field(key="name", label="Name", note="A promise or a threat, not the outcome", longest=60),
            MenuField(key="kind", label="What advances it", choices=kinds, chosen=(kinds[0].value,)),
            MenuField(key="steps", label="Steps", choices=steps, chosen=("4",)),
            MenuField(key="sight", label="Who sees it", choices=sights, chosen=(sights[0].value,)),
        ),
    )


def board_placed_reply() -> Reply:
    """The reply to placing the board in this channel."""
    return Reply(text="Board posted. It updates itself.", is_private=True)
