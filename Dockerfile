# The bot on Discord, as a user without rights, on a file system that may be read-only but for /data:
#   docker run --read-only -v tablekeeper:/data -e TABLEKEEPER_DISCORD__TOKEN=... tablekeeper
# Everything it needs is installed here; it loads nothing while it runs.

FROM python:3.13-slim AS build
RUN python -m venv /opt/tablekeeper
COPY requirements.txt .
RUN /opt/tablekeeper/bin/pip install --quiet --disable-pip-version-check --no-cache-dir \
    --no-deps --only-binary :all: --require-hashes -r requirements.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home tablekeeper \
    && install -d -m 700 -o tablekeeper -g tablekeeper /data
COPY --from=build /opt/tablekeeper /opt/tablekeeper
WORKDIR /app
COPY LICENSE README.md ./
COPY bot bot
COPY cogs cogs
RUN /opt/tablekeeper/bin/python -m compileall -q bot cogs
ENV PATH=/opt/tablekeeper/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONSAFEPATH=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MALLOC_ARENA_MAX=2 \
    TABLEKEEPER_DATABASE__URL=sqlite:////data/tablekeeper.db \
    TABLEKEEPER_METRICS__PORT=9090
USER tablekeeper
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
# Whether the process runs. Whether it is ready, /health says; but no restart brings Discord or a database back.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['TABLEKEEPER_METRICS__PORT'] + '/live', timeout=4)"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
