"""The REST routes of a server's calendar."""

from __future__ import annotations

import datetime

from bot.playground.discord.payloads import Payload
from bot.playground.discord.permissions import Permission
from bot.playground.discord.refusals import Form, Refusal, missing_permissions
from bot.playground.discord.rest import Call, Rest
from bot.playground.discord.routes import server_of
from bot.playground.discord.servers import Channel, EventStatus, ScheduledEvent, Server

STAGE, VOICE, EXTERNAL = 1, 2, 3


def add_event_routes(rest: Rest) -> None:
    """Teach *rest* the routes of scheduled events."""
    every, one = "/guilds/{server}/scheduled-events", "/guilds/{server}/scheduled-events/{event}"
    rest.route(
        "GET", every, lambda call: [item.payload() for item in server_of(call).events if not item.is_over]
    )
    rest.route("POST", every, _create)
    rest.route("GET", one, lambda call: _event(call).payload())
    rest.route("PATCH", one, _edit)
    rest.route("DELETE", one, _delete)


def _event(call: Call) -> ScheduledEvent:
    number = call.number("event")
    for event in server_of(call).events:
        if event.id == number and not event.is_over:
            return event
    sentence = "it asked for a scheduled event that is not there"
    raise Refusal(404, 10070, "Unknown Guild Scheduled Event", sentence, is_breach=False)


def _create(call: Call) -> Payload:
    server = server_of(call)
    _require(server, Permission.CREATE_EVENTS)
    form, asked = Form(), call.form
    form.text(("name",), asked.get("name"), 1, 100)
    form.text(("description",), asked.get("description"), 0, 1000)
    form.one_of(("privacy_level",), asked.get("privacy_level"), (2,))
    starts_at = _moment(form, "scheduled_start_time", asked)
    ends_at = _moment(form, "scheduled_end_time", asked)
    if starts_at is None:
        form.add(("scheduled_start_time",), "BASE_TYPE_REQUIRED", "This field is required")
    elif starts_at < call.discord.clock():
        message = "Cannot schedule event in the past."
        form.add(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", message)
    channel = _place(form, call, server, ends_at)
    form.raise_problems()
    event = server.schedule_event(
        asked["name"],
        starts_at=starts_at,
        ends_at=ends_at,
        channel=channel,
        description=asked.get("description"),
        creator=call.discord.application.user_payload(),
    )
    return event.payload()


def _place(form: Form, call: Call, server: Server, ends_at: float | None) -> Channel | None:
    """Where the event is held: a channel, or elsewhere, and then its end must be known."""
    kind = call.form.get("entity_type")
    if not form.one_of(("entity_type",), kind, (STAGE, VOICE, EXTERNAL)):
        return None
    if kind == EXTERNAL:
        location = (call.form.get("entity_metadata") or {}).get("location")
        form.text(("entity_metadata", "location"), location, 1, 100)
        if ends_at is None:
            form.add(("scheduled_end_time",), "BASE_TYPE_REQUIRED", "This field is required")
        return None
    wanted = str(call.form.get("channel_id"))
    channel = next((place for place in server.channels if str(place.id) == wanted), None)
    if channel is None:
        form.add(("channel_id",), "BASE_TYPE_REQUIRED", "This field is required")
    return channel


def _edit(call: Call) -> Payload:
    server, event, form = _changeable(call), _event(call), Form()
    if "name" in call.form:
        form.text(("name",), call.form["name"], 1, 100)
    status = call.form.get("status")
    if status is not None:
        following = {
            EventStatus.SCHEDULED: (EventStatus.ACTIVE, EventStatus.CANCELLED),
            EventStatus.ACTIVE: (EventStatus.COMPLETED,),
        }
        form.one_of(("status",), status, map(int, following[event.status]))
    form.raise_problems()
    event.name = call.form.get("name", event.name)
    event.description = call.form.get("description", event.description)
    server.set_event_status(event, EventStatus(status) if status is not None else event.status)
    return event.payload()


def _delete(call: Call) -> None:
    server = _changeable(call)
    server.remove_event(_event(call))


def _changeable(call: Call) -> Server:
    """The server whose event is to be changed: one's own with either permission, others' with one."""
    server, event = server_of(call), _event(call)
    is_own = event.creator["id"] == str(call.discord.application.user_id)
    _require(server, Permission.MANAGE_EVENTS | (Permission.CREATE_EVENTS if is_own else 0))
    return server


def _require(server: Server, any_of: int) -> None:
    if not (server.everyone.permissions | server.bot_role.permissions) & any_of:
        raise missing_permissions("keep the calendar")


def _moment(form: Form, key: str, asked: Payload) -> float | None:
    if asked.get(key) is None:
        return None
    try:
        return datetime.datetime.fromisoformat(str(asked[key])).timestamp()
    except ValueError:
        form.add((key,), "DATE_TIME_TYPE_PARSE", f"Could not parse {asked[key]}. Should be ISO8601.")
        return None
