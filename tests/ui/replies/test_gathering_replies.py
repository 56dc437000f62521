"""What several people press at, as a card: short enough for a phone, and whatever its text within bounds."""

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Die,
    Document,
    Family,
    FollowUp,
    Part,
    Term,
    TextField,
    ToldRoll,
    Verdict,
    View,
)
from bot.table.base.results import Beside, EntryId, FollowUpId, Gathered, Message, OpenFollowUp, Result
from bot.ui.input.presses import form_of
from bot.ui.live.result_messages import mark_of, reply_of
from bot.ui.replies.gathering_replies import closer_reply, gathering_reply, page_reply
from bot.ui.text.reply import Accent, Button, Field, Form, Look, Select

FAILED, PASSED = Verdict(Family.FAILURE, "failure"), Verdict(Family.SUCCESS, "success")
ROLLED = ToldRoll(
    dice=(Die(sides=6, face=3), Die(sides=6, face=2)),
    terms=(Term("Stealth", 4),),
    total=9,
    against="13+",
    verdict=FAILED,
    chance="28%",
)
UG = Part(who="Ug_the_Loud", rolls=(ROLLED,), verdict=FAILED, notes=("He sneezes.",))
ROLL = FollowUp(
    procedure="check",
    options=Document(),
    label="Mira: roll · 58%",
    character=CharacterId(7),
    group="roll/7",
)
CLOSE = FollowUp(
    procedure="close", options=Document(), label="Close (GM)", audience=Audience.GM, group="close"
)
LUCKY = FollowUp(procedure="luck", options=Document(), label="Lucky Break · 50%", character=CharacterId(6))
OPEN = View(parts=(UG,), lines=("Still to roll: Mira",), follow_ups=(ROLL, CLOSE))
OVER = View(parts=(UG,), verdict=Verdict(Family.PARTIAL, "1 of 2 succeed"))


def result(view: View, *beside: Beside) -> Result:
    told = Message(who="Gwen", headline="asks for a skill check: Stealth", notes=("the *rope*",))
    return Result(entry=EntryId(12), message=told, gathering=Gathered(view, beside))


class TestOpen:
    def test_an_open_prompt_shows_who_rolled_what_and_who_is_missing(self) -> None:
        reply = reply_of(result(OPEN))

        assert reply.text == (
            "**Gwen** asks for a skill check\\: Stealth\n"
            "the \\*rope\\*\n"
            "**Ug\\_the\\_Loud** · **failure**\n"
            "⚂ ⚁ 5 + Stealth 4 = **9** against 13+ · 28%\n"
            "-# He sneezes.\n"
            "-# Still to roll\\: Mira"
        )
        assert (reply.accent, reply.is_private) == (Accent.BOARD, False)

    def test_a_prompts_buttons_offer_the_next_steps_and_a_gms_are_on_a_page_of_their_own(self) -> None:
        beside = Beside("Ug", OpenFollowUp(FollowUpId(33), LUCKY))

        assert reply_of(result(OPEN, beside)).rows == (
            (
                Button(id="join:1:12:roll/7", label="Mira: roll · 58%", look=Look.MAIN),
                Button(id="part:1:12:33", label="Ug: Lucky Break · 50%", look=Look.MAIN),
                Button(id="parts:1:12", label="Details"),
                Button(id="row:1:12:gm", label="GM …"),
            ),
        )
        assert page_reply(result(OPEN, beside), "gm").blocks[1:] == (
            (Button(id="join:1:12:close::gm", label="Close", look=Look.MAIN),),
        )

    def test_a_prompts_menu_has_a_row_of_its_own(self) -> None:
        menu = FollowUp(
            procedure="choose",
            options=Document(),
            label="Which skill was used?",
            choices=(Choice("a", "A"),),
            chosen="skill",
            group="skill",
        )

        assert reply_of(result(View(follow_ups=(menu, CLOSE)))).rows == (
            Select(id="join:1:12:skill", prompt="Which skill was used?", choices=(Choice("a", "A"),)),
            (Button(id="row:1:12:gm", label="GM …"),),
        )

    def test_an_answer_without_an_outcome_takes_one_line(self) -> None:
        secret = Part(who="Ug", rolls=(ROLLED.without_target,))

        text = reply_of(result(View(parts=(secret,)))).text

        assert text.splitlines()[-1] == "**Ug** ⚂ ⚁ 5 + Stealth 4 = **9**"

    def test_more_buttons_than_two_rows_take_stand_on_a_page_of_their_own(self) -> None:
        many = tuple(
            FollowUp(procedure="check", options=Document(), label=f"{n}: roll", group=f"roll/{n}")
            for n in range(40)
        )

        prompt = result(View(parts=(UG,), follow_ups=many))
        rows = reply_of(prompt).rows

        assert [len(row) for row in rows if isinstance(row, tuple)] == [5, 5]
        assert isinstance(rows[1], tuple)
        assert [button.label for button in rows[1][-2:]] == ["Details", "More …"]
        rest = [row for row in page_reply(prompt, "more").blocks if isinstance(row, tuple)]
        assert [button.label for row in rest for button in row] == [f"{n}: roll" for n in range(8, 40)]


class TestOver:
    def test_a_finished_prompt_shows_its_verdict_in_its_colour(self) -> None:
        reply = reply_of(result(OVER))

        first = "**Gwen** asks for a skill check\\: Stealth · **1 of 2 succeed**"
        assert (reply.text.splitlines()[0], reply.accent) == (first, Accent.PARTIAL)


class TestCloser:
    def test_details_show_each_answer_whole_with_its_follow_ups(self) -> None:
        beside = Beside("Ug", OpenFollowUp(FollowUpId(33), LUCKY))
        answer = Result(
            entry=EntryId(13), message=Message(who="Ug", headline="checks Stealth"), rolls=(ROLLED.as_rolled,)
        )

        reply = closer_reply((result(OPEN, beside), answer))

        assert "**Ug** checks Stealth" in reply.text
        assert "Journal entry 13" in reply.text
        assert reply.rows == ((Button(id="part:1:12:33", label="Ug: Lucky Break · 50%", look=Look.MAIN),),)
        assert reply.is_private

    def test_details_without_any_answer_show_the_public_text(self) -> None:
        reply = closer_reply((result(OPEN),))

        assert reply.text == reply_of(result(OPEN)).text

    def test_a_deleted_prompt_is_shown_as_an_ordinary_result(self) -> None:
        gone = Result(entry=EntryId(12), message=Message(who="Gwen", headline="asks"))

        assert "Journal entry 12" in closer_reply((gone,)).text
        assert reply_of(gone).text == "**Gwen** asks"


class TestForm:
    def test_a_form_has_one_field_per_text_field(self) -> None:
        blanks = (
            TextField(key="reason", prompt="Why not?", longest=300, is_required=False),
            TextField(key="name", prompt="Its name"),
        )
        asked = FollowUp(procedure="deny", options=Document(), label="Turn it down …", blanks=blanks)

        assert form_of("do:1:7", asked) == Form(
            id="do:1:7",
            title="Turn it down …",
            fields=(
                Field(key="reason", label="Why not?", longest=300, is_required=False, is_long=True),
                Field(key="name", label="Its name", longest=80),
            ),
        )


class TestMark:
    def test_the_mark_changes_only_with_what_is_shown(self) -> None:
        open_, over = (gathering_reply(result(view), Gathered(view)) for view in (OPEN, OVER))

        assert mark_of(open_) == mark_of(gathering_reply(result(OPEN), Gathered(OPEN)))
        assert mark_of(open_) != mark_of(over)
