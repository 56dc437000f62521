"""Secrets in words: the GM's page, one secret before it is revealed, and what players were given."""

from dataclasses import replace

from bot.rules.kernel import Choice
from bot.table.base.results import EntryId, Message, Result
from bot.table.gm.gm_secrets import Handout, Secret, SecretKind, SecretsPage, SecretView
from bot.ui.text.reply import Button, Look, Picture, Reply, Select
from bot.ui.text.text import PAGE_LINES, height
from cogs.gm.secrets import (
    given_reply,
    handout_reply,
    note_form,
    roll_reply,
    secret_reply,
    secrets_reply,
    shown_alone_reply,
)

LETTER = Handout(id="77", title="The *letter*", text="Come\nat ten.", picture=b"x", has_picture=True)
NOTE = Secret(SecretKind.NOTE, "77", "The *letter*")
ROLL = Result(entry=EntryId(12), message=Message(who="Orc", headline="checks Brawn"))
JUNO = Choice("5", "Juno")


def texts(reply: Reply) -> list[str]:
    return [block for block in reply.blocks if isinstance(block, str)]


def rows(reply: Reply) -> list[list[str]]:
    return [[one.label for one in block] for block in reply.blocks if isinstance(block, tuple)]


def ids(reply: Reply) -> list[str]:
    found = [one for block in reply.blocks if isinstance(block, tuple) for one in block]
    return [one.id for one in found if isinstance(one, Button)]


class TestThePage:
    def test_the_page_lists_secrets_of_each_kind_and_fits_a_phone(self) -> None:
        secrets = tuple(
            Secret(SecretKind.ROLL, str(number), "Gwen rolls the ambush at the old mill by night · 17")
            for number in range(7)
        )
        known = replace(NOTE, people=("Juno",))

        reply = secrets_reply(
            SecretsPage(campaign="The Manor", secrets=(*secrets, known), page=1, pages=3), EntryId(4)
        )

        head, lines = texts(reply)
        assert head == "### Secrets · The Manor"
        assert lines.split("\n")[-1] == "Note · The \\*letter\\* · known to Juno"
        assert height([head, lines]) <= PAGE_LINES
        assert rows(reply) == [
            ["New note …", "New handout …", "Secret roll …"],
            ["Desk", "Refresh", "More (2/3)"],
            ["Undo"],
        ]
        assert all(len(label) <= 14 for row in rows(reply) for label in row)
        assert reply.is_private

    def test_an_empty_page_says_so(self) -> None:
        reply = secrets_reply(SecretsPage(campaign="The Manor", secrets=(), page=0, pages=1))

        assert texts(reply)[1] == "Nothing is secret here."
        assert rows(reply)[1] == ["Desk", "Refresh"]


class TestOneSecret:
    def test_a_note_is_shown_as_players_would_see_it(self) -> None:
        reply = secret_reply(SecretView(secret=NOTE, handout=LETTER, players=(JUNO,)))

        assert texts(reply) == [
            "-# Known to nobody but you. This is what they would see:",
            "**The \\*letter\\***\nCome\nat ten.",
        ]
        assert [one.name for one in reply.blocks if isinstance(one, Picture)] == ["handout.webp"]
        assert [one.choices for one in reply.blocks if isinstance(one, Select)] == [(JUNO,)] * 2
        assert rows(reply) == [["Show to all"], ["Edit", "Remove"], ["Secrets", "Desk"]]

    def test_the_gm_reads_who_was_shown_something_quietly(self) -> None:
        view = SecretView(secret=replace(NOTE, people=("Juno",)), handout=LETTER, players=(JUNO,))

        assert texts(secret_reply(view, quietly=("Juno",)))[0] == (
            "-# Known to Juno. This is what they would see:\n-# Nobody was told: Juno can read it under /log."
        )

    def test_what_some_have_seen_can_be_taken_back(self) -> None:
        secret = replace(NOTE, people=("Juno", "Ash"))
        some = secret_reply(SecretView(secret=secret, handout=LETTER, players=(JUNO,)))
        every = secret_reply(SecretView(secret=secret, handout=LETTER, players=(JUNO,), is_out=True))

        assert texts(some)[0] == "-# Known to Juno, Ash. This is what they would see:"
        assert texts(every)[0] == "-# Everybody has seen this:"
        assert rows(some)[1] == rows(every)[0] == ["Edit", "Remove", "Take back"]

    def test_a_roll_shows_its_card_and_a_countdown_may_show_its_name_only(self) -> None:
        roll = Secret(SecretKind.ROLL, "12", "Orc checks Brawn")
        doom = Secret(SecretKind.COUNTDOWN, "3", "Doom")

        of_roll = secret_reply(SecretView(secret=roll, roll=ROLL), EntryId(13))
        of_doom = secret_reply(SecretView(secret=doom, sentence="Doom: 0 of 4"))

        assert texts(of_roll)[1] == "**Orc** checks Brawn"
        assert ids(of_roll) == [
            "secrets:1:all:0:roll:12",
            "secrets:1:home:0:0",
            "desk:1:home:0",
            "secrets:1:undo:0:13",
        ]
        assert (texts(of_doom)[1], rows(of_doom)[0]) == ("**Doom\\: 0 of 4**", ["Reveal", "Only its name"])
        known = SecretView(secret=replace(doom, people=("everyone",)), sentence="Doom: 0 of 4")
        assert rows(secret_reply(known))[0] == ["Reveal"]


class TestWhatOthersSee:
    def test_everybody_learns_that_some_were_shown_something_but_not_what(self) -> None:
        reply = shown_alone_reply("Gwen", ("Juno", "Ash"), SecretView(secret=NOTE, handout=LETTER))
        of_roll = shown_alone_reply(
            "Gwen", ("Juno",), SecretView(secret=Secret(SecretKind.ROLL, "12", "x"), roll=ROLL)
        )

        assert reply.text == "**Gwen** shows **Juno**, **Ash** something."
        assert reply.rows == ((Button(id="given:1:note:77", label="Read", look=Look.MAIN),),)
        assert of_roll.rows == ((Button(id="given:1:roll:12", label="Read", look=Look.MAIN),),)

    def test_a_revealed_roll_names_the_gm(self) -> None:
        reply = roll_reply(ROLL, "Gwen", is_private=False)

        assert reply.text == "-# Revealed by Gwen:\n**Orc** checks Brawn"
        assert (reply.rows, reply.is_private) == ((), False)

    def test_a_handout_is_its_title_text_and_picture(self) -> None:
        reply = handout_reply(LETTER, is_private=False)

        assert texts(reply) == ["**The \\*letter\\***\nCome\nat ten."]
        assert len(reply.blocks) == 2

    def test_a_player_chooses_from_what_they_were_given(self) -> None:
        found = [replace(LETTER, id=str(number), title=f"Letter {number}") for number in range(11)]

        first, second = given_reply(found, 0), given_reply(found, 9)

        assert texts(first)[0].startswith("### Notes and handouts\nLetter 0\nLetter 1\n")
        assert (rows(first), rows(second)) == ([["More (1/2)"]], [["More (2/2)"]])
        assert texts(second)[0] == "### Notes and handouts\nLetter 10"
        assert rows(given_reply(found[:1], 0)) == []
        assert given_reply([], 0).text == "You were given no notes or handouts yet."


class TestForms:
    def test_a_note_needs_a_text_and_a_handout_a_text_or_a_picture(self) -> None:
        note = note_form("a", has_picture=False)
        handout = note_form("b", has_picture=True, before=LETTER)

        assert [one.key for one in note.fields] == ["title", "text"]
        assert [one.key for one in handout.fields] == ["title", "text", "picture"]
        assert (note.title, handout.title) == ("New note", "Edit handout")
