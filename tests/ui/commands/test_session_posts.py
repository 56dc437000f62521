"""What is shown about sessions, campaigns and fairness, compared whole."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Family, Growth, Verdict
from bot.store.records import EntryId
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.campaigns.campaigns import CampaignLine, CampaignMade, CampaignSetup
from bot.table.journal.dice_stats import Fairness, SeedState
from bot.table.journal.log import HiddenLines, LogLine, LogPage
from bot.table.journal.recap import Count, HeroStory, Line, Moment, Recap, RollStats
from bot.table.sessions.endings import EndPreview, Reason, SessionEnded
from bot.table.sessions.sessions import Present, SessionStarted
from bot.ui.commands.session_posts import ended_reply, made_reply, preview_reply, started_reply
from bot.ui.replies.recaps import (
    chronicle_file_reply,
    chronicle_reply,
    deviation_text,
    hero_parts,
    more_reply,
    recap_file_reply,
    recap_markdown,
    recap_reply,
    span,
)
from bot.ui.text.reply import Button, Picture, Reply, Sketch
from bot.ui.text.roll_text import PAGE_LINES, height
from cogs.campaign import campaigns_reply
from cogs.fair import fair_reply, log_reply
from cogs.privacy import setup_reply
from tests.ui.shown import shown

NOON = 1_800_014_400  # 2027-01-15 12:00 UTC
HASH = "ab" * 32

ROPE = Moment(
    who="Laeniel",
    headline="checks Brawn",
    verdict="failure",
    rank=Fraction(1, 12),
    chance=Fraction(1, 6),
    is_undone=False,
)
LEAP = Moment(
    who="Ug",
    headline="leaps",
    verdict="success",
    rank=Fraction(5, 6),
    chance=Fraction(1, 3),
    is_undone=True,
)
HARD = replace(
    LEAP, headline="crosses the gorge", chance=Fraction(1, 9), odds=Fraction(1, 8), is_undone=False
)
RECAP = Recap(
    campaign="The Long Road",
    title="Toy Game",
    number=7,
    started_at=NOON,
    ended_at=NOON + 3 * 3600 + 12 * 60,
    is_running=False,
    players=4,
    rolls=96,
    undone_rolls=2,
    rollers=(
        RollStats(name="Ug", player="Tim", rolls=50, undone=2, deviation=0.93),
        RollStats(name="Laeniel", player="Eva", rolls=46, undone=0, deviation=-1.4),
    ),
    luckiest=LEAP,
    unluckiest=ROPE,
    hardest=HARD,
    turned=2,
    present=("Tim", "Eva_"),
    heroes=(
        HeroStory(
            name="Ug_the_Bold",
            growth=(
                Growth("Climb", "1", "3"),
                Growth("Brave", "", "new"),
                Growth("Throw", "1", "2", is_pulled=True),
            ),
            counts=(Count("HP", "12/12", "4/12"), Count("Luck", "3", "1"), Count("FT", "2/3", "2/3")),
            falls=2,
            states=("Dying",),
        ),
        HeroStory(name="Eva", is_new=True, is_dead=True, falls=1, counts=(Count("HP", "4/4", "0/5"),)),
    ),
    lines=(
        Line(
            at=NOON,
            message=Message(
                who="Ug",
                headline="leaps",
                verdict=Verdict(Family.SUCCESS, "success"),
                changes=(ChangeLine("Ug", "Luck", "2", "1"),),
                notes=("The floor holds.",),
            ),
            rolls=(),
            is_undone=True,
        ),
    ),
)
FACTS = """\
Roll of the evening: Ug crosses the gorge (12%)
**Ug\\_the\\_Bold**: Climb 1 → 3, Brave \\(new\\) \\(pulled Throw 1 → 2\\) · HP 12 → 4 of 12 · Luck 3 → 1 · FT 2 of 3 · went down twice · Dying
**Eva**: joined · HP 4/4 → 0/5 · died
Worst roll: Laeniel checks Brawn, failure (17%)
2 failures rescued
Rolls: Ug 50 (a little lucky) · Laeniel 46 (unlucky)
Present: Tim, Eva\\_"""  # noqa: E501


def labels(reply: Reply) -> list[str]:
    return [
        button.label
        for row in reply.rows
        if isinstance(row, tuple)
        for button in row
        if isinstance(button, Button)
    ]


class TestRecap:
    def test_the_recap_is_short_and_leaves_out_what_did_not_happen(self) -> None:
        reply = recap_reply(RECAP)

        shown = [*FACTS.splitlines()[:-2], "-# Press More for the rest."]
        assert reply.text.splitlines() == [
            "**Session 7**, recap · 3 h 12 min · 4 people · 96 rolls (2 undone)",
            *shown,
        ]
        assert labels(reply) == ["More", "Download recap", "All sessions"]

    def test_the_whole_recap_is_paged(self) -> None:
        crowd = replace(RECAP, heroes=RECAP.heroes * 4)

        pages = [more_reply(crowd, page) for page in (1, 2, 3)]

        assert [labels(one) for one in pages] == [
            ["More", "Download recap"],
            ["Back", "More", "Download recap"],
            ["Back", "Download recap"],
        ]
        told = [line for one in pages for line in one.text.splitlines()[1:]]
        assert len(told) == 7 + 6
        assert all(height(one.text.splitlines()) <= PAGE_LINES for one in pages)

    def test_f_swim_12_the_recap_is_a_picture_too(self) -> None:
        file, picture = recap_file_reply(RECAP).files

        assert file.name == "session-7.md"
        assert isinstance(picture, Sketch)
        assert "Ug_the_Bold: Climb 1 → 3, Brave (new) (pulled Throw 1 → 2), HP 12 → 4 of 12" in picture.alt
        assert "Roll of the evening: Ug crosses the gorge (12%)." in picture.alt
        assert "σ" not in picture.alt
        assert picture.draw()[8:12] == b"WEBP"
        assert len(picture.draw()) < 60_000

    def test_the_recap_counts_the_gms_characters_together_and_names_the_purpose_of_side_rolls(self) -> None:
        """F-ALL-04."""
        guard = RollStats(name="Guard 1", player="", rolls=3, undone=0, deviation=2.0, is_gms=True)
        saved = replace(ROPE, headline="", purpose="save", verdict="failure by 3")
        recap = replace(
            RECAP, rollers=(*RECAP.rollers, guard), gms_deviation=2.0, unluckiest=saved, heroes=()
        )

        lines = recap_reply(recap).text.splitlines()

        assert lines[-3:-1] == [
            "Rolls: Ug 50 (a little lucky) · Laeniel 46 (unlucky)",
            "GM characters: 3 rolls (very lucky)",
        ]
        assert "Worst roll: Laeniel's save, failure by 3 (17%)" in lines
        assert "| Guard 1 | GM | 3 | 0 | very lucky |" in recap_markdown(recap)

    def test_the_recap_file_lists_everything_in_order(self) -> None:
        facts = "\n".join(f"- {line}" for line in FACTS.splitlines())

        assert recap_markdown(RECAP) == (
            "# The Long Road: session 7\n\n"
            "Toy Game · 2027-01-15 12:00 to 2027-01-15 15:12 UTC\n\n"
            "3 h 12 min · 4 people · 96 rolls (2 undone)\n\n"
            f"{facts}\n\n"
            "## Rolls\n\n"
            "| who | player | rolls | undone | luck |\n|---|---|---|---|---|\n"
            "| Ug | Tim | 50 | 2 | a little lucky |\n| Laeniel | Eva | 46 | 0 | unlucky |\n\n"
            "## What happened\n\n"
            "- 12:00 ~~**Ug** leaps · **success**~~ (undone) · Ug: Luck 2 → 1 · The floor holds.\n"
        )

    @pytest.mark.parametrize(
        ("seconds", "said"), [(0, "0 min"), (59, "0 min"), (3600, "1 h"), (11_520, "3 h 12 min")]
    )
    def test_durations_are_shown_in_hours_and_minutes(self, seconds: int, said: str) -> None:
        assert span(seconds) == said

    @pytest.mark.parametrize(
        ("deviation", "said"),
        [
            (None, ""),
            (0.49, "as expected"),
            (-0.6, "a little unlucky"),
            (1.25, "lucky"),
            (-2.0, "very unlucky"),
        ],
    )
    def test_luck_is_shown_with_a_sign(self, deviation: float | None, said: str) -> None:
        assert deviation_text(deviation) == said


class TestChronicle:
    def test_every_session_is_told_in_two_lines_a_page_at_a_time(self) -> None:
        told = (
            *(replace(RECAP, number=number) for number in (9, 8, 7, 6)),
            replace(RECAP, number=5, heroes=()),
        )

        first, last = chronicle_reply(told), chronicle_reply(told, 2)

        assert first.text.splitlines()[:3] == [
            "**The Long Road** · 5 sessions, the latest first",
            f"**9** · <t:{NOON}:d> · 3 h 12 min · 4 people",
            "-# Ug crosses the gorge (12%) · Ug\\_the\\_Bold: Climb 1 → 3, Brave \\(new\\), fell · Eva…",
        ]
        assert (labels(first), labels(last)) == (["Earlier", "Download all"], ["Later", "Download all"])
        assert last.text.splitlines()[-1] == "-# Ug crosses the gorge (12%)"
        assert height(first.text.splitlines()) <= PAGE_LINES
        quiet = replace(RECAP, heroes=(), hardest=None)
        assert chronicle_reply((quiet,)).text.splitlines()[2] == "-# A quiet session."

    def test_the_whole_chronicle_is_a_file_in_order(self) -> None:
        quiet = replace(
            RECAP,
            number=6,
            heroes=(),
            hardest=None,
            luckiest=None,
            unluckiest=None,
            rollers=(),
            turned=0,
            present=(),
        )

        (file,) = chronicle_file_reply((RECAP, quiet)).files

        assert isinstance(file, Picture)
        text = file.content.decode()
        assert text.index("## Session 6, 2027-01-15") < text.index("## Session 7, 2027-01-15")
        assert "A quiet session." in text
        assert "- **Eva**: joined · HP 4/4 → 0/5 · died" in text


class TestSessions:
    def test_the_start_says_who_plays_and_folds_what_happened_previously(self) -> None:
        result = Result(entry=EntryId(5), message=Message(who="Gwen", headline="starts session 8"))
        started = SessionStarted(result=result, number=8, present=(Present(2, "Ug_the_Bold"),))

        assert shown(started_reply(started, RECAP)) == (
            "public, news\n"
            "**Session 8 started** · **Ug\\_the\\_Bold** (<@2>)\n"
            "-# Dice are provably fair\n"
            "[!My sheet] [Desk] [Proof]\n"
            "[Previously on …]"
        )
        assert "Previously" not in shown(started_reply(started))

    def test_the_preview_is_private_to_the_gm_and_asks_first(self) -> None:
        changes = (ChangeLine("Ug", "Luck", "0", "2"), ChangeLine("Laeniel", "Luck", "1", "2"))

        reply = preview_reply(EndPreview(number=7, changes=changes, notes=(), commitment=HASH))

        assert reply.is_private
        assert reply.text == (
            "**Ending session 7** resets:\n"
            "- Luck: Ug 0 → 2, Laeniel 1 → 2\n"
            "The dice seed is revealed and the recap is posted. You can undo this."
        )
        assert labels(reply) == ["End the session", "Not yet"]

    def test_the_preview_says_when_nothing_is_reset(self) -> None:
        reply = preview_reply(EndPreview(number=7, changes=(), notes=("Ug spent 1 of 2.",), commitment=HASH))

        assert reply.text.split("\n")[:2] == [
            "**Ending session 7** resets nothing.",
            "Ug spent 1 of 2.",
        ]

    @pytest.mark.parametrize(
        ("changes", "said", "facts"),
        [
            (
                (ChangeLine("Ug", "Luck", "0", "2"), ChangeLine("", "Map", "1/3", "ended")),
                "Luck: Ug 0 → 2\nMap: 1/3 → ended",
                2,
            ),
            ((), "Nothing needed a reset.", 3),
        ],
    )
    def test_the_end_shows_the_reset_the_recap_and_the_seed(
        self, changes: tuple[ChangeLine, ...], said: str, facts: int
    ) -> None:
        shown = "\n".join(FACTS.split("\n")[:facts])
        told = Message(who="Tablekeeper", headline="ends session 7", changes=changes, notes=("Ug is tired.",))
        ended = SessionEnded(
            result=Result(entry=EntryId(9), message=told, can_undo=True),
            number=7,
            channel=50,
            reason=Reason.IDLE,
            seed=7,
            secret="12" * 32,
            commitment=HASH,
            next_seed=8,
            next_commitment="cd" * 32,
        )

        reply = ended_reply(ended, RECAP)

        assert not reply.is_private
        assert reply.text == (
            "**Session 7 ended** · 3 h 12 min · 4 people · 96 rolls (2 undone)\n"
            "It ended automatically: nothing had happened for a long time.\n"
            f"{said}\n"
            "Ug is tired.\n"
            f"{shown}\n"
            "-# Press More for the rest."
        )
        assert labels(reply) == ["More", "Proof", "Undo the reset"]
        assert reply.is_pictured
        assert [one.name for one in reply.files] == ["session.webp"]


class TestCampaigns:
    def test_a_new_campaign_shows_who_leads_it_and_the_ways_in(self) -> None:
        told = Message(who="Gwen", headline="creates the campaign The Long Road (Toy Game)")
        made = CampaignMade(
            result=Result(entry=EntryId(1), message=told),
            name="The Long Road",
            title="Toy Game",
            gms=(1,),
            is_default=True,
            campaign=7,
        )

        assert shown(made_reply(made)) == (
            "public, news\n"
            "**The Long Road** · Toy Game\nGM: <@1>\n-# Dice are provably fair\n"
            "[!Ready-made hero]\n"
            "[Make a character]\n"
            "[Desk] [Set up …] [Proof]"
        )
        assert "-# Played in this channel." in shown(made_reply(replace(made, is_default=False)))

    def test_a_gm_sets_it_up_and_reads_how_to_hide_their_commands(self) -> None:
        setup = CampaignSetup("The Long Road", 7, ("gm", "toy-gm"), has_packs=True)

        assert shown(setup_reply(setup)) == (
            "private, board\n"
            "**Set up The Long Road**\n"
            "[Settings] [Optional rules] [Rename …]\n"
            "----\n"
            "**Hide the GM's commands:** in *Server Settings → Integrations*, choose me, then `/gm` and "
            "`/toy-gm`; take away @everyone and add your GMs' role.\n"
            "-# They work for GMs only either way."
        )
        assert "Optional rules" not in shown(setup_reply(replace(setup, has_packs=False)))

    def test_the_campaign_list_shows_places_and_gms(self) -> None:
        line = CampaignLine(
            name="The Long Road",
            title="Toy Game",
            is_default=True,
            is_archived=False,
            is_here=True,
            places=(50,),
            gms=(1,),
            gm_role=5,
            session=7,
        )

        assert campaigns_reply([line]).text == (
            "**Campaigns**\n"
            "**The Long Road** · Toy Game · in this channel · default · session 7 running\n"
            "-# in <#50> · GM <@1>, <@&5>"
        )
        assert campaigns_reply([]).text == "**Campaigns**\nNone yet. Create one with /campaign create."


class TestFairness:
    def test_seeds_are_shown_with_their_published_fingerprints(self) -> None:
        in_use = SeedState(number=2, commitment=HASH, secret=None, in_use_since=NOON, revealed_at=None)
        past = SeedState(number=1, commitment="cd" * 32, secret="12" * 32, in_use_since=1, revealed_at=NOON)

        reply = fair_reply(Fairness(campaign="The Long Road", in_use=in_use, revealed=(past,), session=None))

        assert reply.text == (
            "**The Long Road** · dice anyone can check\n"
            f"Seed 2, in use since <t:{NOON}:f>. Its fingerprint (SHA-256):\n"
            f"`{HASH}`\n"
            f"Seed 1, revealed <t:{NOON}:f>\n"
            f"`{'12' * 32}`\n"
            f"-# fingerprint published before: {'cd' * 32}\n"
            "-# The journal has every die; `tablekeeper verify FILE` recomputes them all."
        )
        assert labels(reply) == ["Download journal", "How to check"]


class TestLog:
    def test_a_log_line_shows_when_who_what_and_the_changes(self) -> None:
        told = Message(who="Ug", headline="spends Luck", changes=(ChangeLine("Ug", "Luck", "2", "1"),))
        rolls = Message(who="Tim", headline="rolls stats")
        lines = (
            LogLine(
                entry=EntryId(29),
                number=9,
                at=NOON,
                message=told,
                outcome="",
                session=7,
                is_secret=False,
                is_undone=True,
            ),
            LogLine(
                entry=EntryId(28),
                number=8,
                at=NOON,
                message=told,
                outcome="",
                session=7,
                is_secret=True,
                is_undone=False,
            ),
            LogLine(
                entry=EntryId(27),
                number=7,
                at=NOON,
                message=rolls,
                outcome="16",
                session=7,
                is_secret=False,
                is_undone=False,
            ),
        )

        reply = log_reply(
            LogPage(
                campaign="The Long Road",
                lines=(*lines, HiddenLines(5, 6), HiddenLines(1, 3)),
                is_latest=True,
                older_than=EntryId(8),
            )
        )

        assert reply.text == (
            "**Journal of The Long Road**\n"
            f"<t:{NOON}:t> ~~**Ug** spends Luck · Luck 2 → 1~~ · undone · #9\n"
            f"<t:{NOON}:t> **Ug** spends Luck · Luck 2 → 1 · secret · #8\n"
            f"<t:{NOON}:t> **Tim** rolls stats · **16** · #7\n"
            "-# #5, #6: secret\n"
            "-# #1–#3: secret"
        )
        assert labels(reply) == ["Older", "Handouts", "Download journal"]


def test_a_hero_who_lies_down_at_the_end_is_said_once_to_have_gone_down() -> None:
    assert list(hero_parts(HeroStory(name="Ug", falls=1, states=("Down",)))) == ["went down once, still down"]
    assert list(hero_parts(HeroStory(name="Ug", states=("Down",)))) == ["Down"]
