# The bot on Discord: docker run -v tablekeeper:/data -e TABLEKEEPER_DISCORD__TOKEN=... tablekeeper

FROM python:3.13-slim AS build
RUN python -m venv /opt/tablekeeper
COPY requirements.txt .
RUN /opt/tablekeeper/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home tablekeeper \
    && install -d -o tablekeeper -g tablekeeper /data
COPY --from=build /opt/tablekeeper /opt/tablekeeper
WORKDIR /app
COPY LICENSE README.md ./
COPY bot bot
COPY cogs cogs
RUN /opt/tablekeeper/bin/python -m compileall -q bot cogs
ENV PATH=/opt/tablekeeper/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    TABLEKEEPER_DATABASE__URL=sqlite:////data/tablekeeper.db \
    TABLEKEEPER_METRICS__PORT=9090
USER tablekeeper
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:9090/health', timeout=4)"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
