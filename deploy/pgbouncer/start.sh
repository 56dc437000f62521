#!/bin/sh
# Start PgBouncer for the user tablekeeper with the password of the environment.
set -eu
umask 077
printf '"tablekeeper" "%s"\n' "$POSTGRES_PASSWORD" >"${USERS:-/tmp/users.txt}"
unset POSTGRES_PASSWORD
exec pgbouncer "${1:-/etc/pgbouncer/pgbouncer.ini}"
