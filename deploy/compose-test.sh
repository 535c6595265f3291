#!/usr/bin/env bash
# Checks docker-compose.yml, brings it up for real where a Docker engine can be started, and goes through the demo's
# story. Images that cannot be pulled are made here, under the same tags (deploy/local-images.sh; root, Debian).
#
#   deploy/compose-test.sh        GOLDSEAM_PORT=8700 is where the page is published meanwhile
set -euo pipefail
cd "$(dirname "$0")/.."
export GOLDSEAM_PORT=${GOLDSEAM_PORT:-8700} GOLDSEAM_URL="http://127.0.0.1:${GOLDSEAM_PORT:-8700}"
export COMPOSE_PROJECT_NAME=goldseam-test
say() { printf '\n== %s\n' "$*"; }

if docker compose version >/dev/null 2>&1; then
  COMPOSE='docker compose'
elif command -v docker-compose >/dev/null; then
  COMPOSE=docker-compose
else
  echo 'Neither `docker compose` nor docker-compose is installed.' >&2
  exit 1
fi
export COMPOSE
compose() { $COMPOSE "$@"; }

say "$COMPOSE config"
compose version --short
compose config --quiet
compose config --services | sort | tr '\n' ' '
echo

work=$(mktemp -d)
engine=
up=
finish() {
  code=$?
  trap - EXIT
  if [ -n "$up" ]; then
    [ "$code" = 0 ] || compose logs --no-color --tail=20 || true
    say "$COMPOSE down"
    compose down --volumes --timeout 5
  fi
  if [ -n "$engine" ]; then
    kill "$engine" && wait "$engine" || true
    iptables-restore <"$work/iptables" || true
    echo "$forwarding" >/proc/sys/net/ipv4/ip_forward || true
    ip link delete docker0 2>/dev/null || true
  fi
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT

if ! docker info >/dev/null 2>&1; then
  if [ "$(id -u)" != 0 ] || ! command -v dockerd >/dev/null; then
    say 'No Docker engine runs here, and none can be started: the file was checked, nothing was brought up.'
    exit 0
  fi
  say 'starting a Docker engine of its own'
  # Tables that nobody has written to are not saved, and what is not saved is not restored.
  for table in filter nat; do
    iptables -t "$table" -N goldseam-test && iptables -t "$table" -X goldseam-test
  done
  iptables-save >"$work/iptables"
  forwarding=$(cat /proc/sys/net/ipv4/ip_forward)
  # Kept from run to run, so that layers and images are reused.
  data=${DOCKER_TEST_DATA:-/var/lib/goldseam-docker}
  export DOCKER_HOST="unix://$work/docker.sock"
  dockerd --data-root "$data" --exec-root "$work/exec" --pidfile "$work/docker.pid" -H "$DOCKER_HOST" \
    >"$work/dockerd.log" 2>&1 &
  engine=$!
  for _ in $(seq 100); do
    docker info >/dev/null 2>&1 && break
    kill -0 "$engine" 2>/dev/null || { cat "$work/dockerd.log" >&2; exit 1; }
    sleep 0.3
  done
fi
docker version --format 'engine {{.Server.Version}}'

say 'base images'
missing=
for image in $(sed -n 's/^FROM \([^ ]*:[^ ]*\).*/\1/p' Dockerfile | sort -u) \
  $(sed -n 's/^ *image: \(.*\)/\1/p' docker-compose.yml | grep -v ':local$' | sort -u); do
  docker image inspect "$image" >/dev/null 2>&1 || timeout 60 docker pull --quiet "$image" 2>/dev/null ||
    missing="$missing $image"
done
[ -z "$missing" ] || deploy/local-images.sh $missing

say "$COMPOSE build"
compose build --quiet 2>&1 || compose build
docker image ls --format '{{.Repository}}:{{.Tag}} {{.Size}}' | sort

say "$COMPOSE up"
up=yes
compose up --detach
say 'journey'
node deploy/compose/journey.mjs

say 'what runs'
docker ps --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
  --format '{{.Names}} | {{.Status}} | {{.Ports}}' | sort
for id in $(compose ps -q); do
  user=$(docker inspect --format '{{.Config.User}}' "$id")
  case "$user" in '' | 0 | 0:* | root*) echo "a container runs as root: $id" >&2 && exit 1 ;; esac
done
published=$(docker ps --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" --format '{{.Ports}}' |
  grep -o '[0-9.]*:[0-9]*->[0-9]*' | sort -u)
[ "$published" = "127.0.0.1:$GOLDSEAM_PORT->8700" ] || { echo "published: $published" >&2; exit 1; }
echo "published: $published, nothing else; nobody is root"
