"""How long the bot waits, and for what: given once at the start, and from there to whatever waits."""

from msgspec import Struct

from bot.store.postgres.patience import USUAL_PATIENCE, USUAL_TIMES, LockTimes, Patience


class Pace(Struct, frozen=True, kw_only=True):
    """Every wait of the bot in seconds. How often a message is edited is a setting."""

    # For the next server, while Discord has not sent all that it announced.
    unlisted_server_seconds: float = 2.0
    private_promise_seconds: float = 0.1  # how long an answer may take before it is promised
    # The same where the promise is public; Discord waits for three seconds.
    public_promise_seconds: float = 1.5
    note_seconds: float = 0.1  # how long a note of where a result is waits for those of others
    move_seconds: float = 2.5  # the least time between two times that a message is posted anew
    # From a change to a fight to its board, which goes below the posted result.
    fight_settle_seconds: float = 0.7
    desk_settle_seconds: float = 0.5  # from a change to a desk in a channel, for what comes along with it
    desk_edit_seconds: float = 3.0  # the least time between two edits of a desk in a channel
    sheet_settle_seconds: float = 1.0  # from a change to an open sheet or desk, for what comes along with it
    retry_seconds: float = 5.0  # until what Discord or the database did not take is tried again
    sync_retry_seconds: float = 60.0  # the same for the commands of all servers
    command_retry_seconds: float = 5.0  # the same for a server's own commands; doubled each time
    longest_command_retry_seconds: float = 900.0  # the longest of these
    reconnect_seconds: float = 2.0  # the same for the connection to Discord; doubled each time
    longest_reconnect_seconds: float = 60.0  # the longest of these
    due_tasks_seconds: float = 2.0  # between two looks for buttons that are to be pressed by themselves
    watch_seconds: float = 60.0  # between two looks at the running sessions
    left_servers_seconds: float = 3600.0  # between two looks for servers that have removed the bot
    # Between two looks for commands that nobody has needed for a week.
    unneeded_commands_seconds: float = 3600.0
    finish_commands_seconds: float = 10.0  # for the commands under way when the bot stops
    finish_shard_seconds: float = 3.0  # for those when a shard is given back
    # For messages on their way when the bot stops, or leaves their servers.
    finish_messages_seconds: float = 3.0
    shard_look_seconds: float = 0.25  # between looks whether the locks of the shards may still be counted on
    gateway_seconds: float = 30.0  # for a gateway to greet
    identify_seconds: float = 10.0  # for Discord's answer to an identify
    locks: LockTimes = USUAL_TIMES  # with the locks of the shards
    database: Patience = USUAL_PATIENCE  # with PostgreSQL


STANDARD = Pace()  # suits Discord
