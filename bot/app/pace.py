"""How long the bot waits, and for what: given once at the start, and from there to whatever waits."""

from dataclasses import dataclass

from bot.store.postgres.patience import USUAL_PATIENCE, USUAL_TIMES, LockTimes, Patience


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Every wait of the bot in seconds. How often a message is edited is a setting.

    Attributes:
        unlisted_server_seconds: For the next server, while Discord has not sent all that it announced.
        private_promise_seconds: How long an answer may take before it is promised.
        public_promise_seconds: The same where the promise is public; Discord waits for three seconds.
        note_seconds: How long a note of where a result is waits for those of others.
        move_seconds: The least time between two times that a message is posted anew.
        fight_settle_seconds: From a change to a fight to its board, which goes below the posted result.
        desk_settle_seconds: From a change to a desk in a channel, for what comes along with it.
        desk_edit_seconds: The least time between two edits of a desk in a channel.
        sheet_settle_seconds: From a change to an open sheet or desk, for what comes along with it.
        retry_seconds: Until what Discord or the database did not take is tried again.
        sync_retry_seconds: The same for the commands of all servers.
        command_retry_seconds: The same for a server's own commands; doubled each time.
        longest_command_retry_seconds: The longest of these.
        reconnect_seconds: The same for the connection to Discord; doubled each time.
        longest_reconnect_seconds: The longest of these.
        due_tasks_seconds: Between two looks for buttons that are to be pressed by themselves.
        watch_seconds: Between two looks at the running sessions.
        left_servers_seconds: Between two looks for servers that have removed the bot.
        unneeded_commands_seconds: Between two looks for commands that nobody has needed for a week.
        finish_commands_seconds: For the commands under way when the bot stops.
        finish_shard_seconds: For those when a shard is given back.
        finish_messages_seconds: For messages on their way when the bot stops, or leaves their servers.
        shard_look_seconds: Between looks whether the locks of the shards may still be counted on.
        gateway_seconds: For a gateway to greet.
        identify_seconds: For Discord's answer to an identify.
        locks: With the locks of the shards.
        database: With PostgreSQL.
    """

    unlisted_server_seconds: float = 2.0
    private_promise_seconds: float = 0.1
    public_promise_seconds: float = 1.5
    note_seconds: float = 0.1
    move_seconds: float = 2.5
    fight_settle_seconds: float = 0.7
    desk_settle_seconds: float = 0.5
    desk_edit_seconds: float = 3.0
    sheet_settle_seconds: float = 1.0
    retry_seconds: float = 5.0
    sync_retry_seconds: float = 60.0
    command_retry_seconds: float = 5.0
    longest_command_retry_seconds: float = 900.0
    reconnect_seconds: float = 2.0
    longest_reconnect_seconds: float = 60.0
    due_tasks_seconds: float = 2.0
    watch_seconds: float = 60.0
    left_servers_seconds: float = 3600.0
    unneeded_commands_seconds: float = 3600.0
    finish_commands_seconds: float = 10.0
    finish_shard_seconds: float = 3.0
    finish_messages_seconds: float = 3.0
    shard_look_seconds: float = 0.25
    gateway_seconds: float = 30.0
    identify_seconds: float = 10.0
    locks: LockTimes = USUAL_TIMES
    database: Patience = USUAL_PATIENCE


STANDARD = Pace()  # suits Discord
