#!/bin/sh
# `npm run check:images`: builds the images, starts docker-compose.yml from them as a project of its own, sends requests through
# every process, and stops it. Needs a Docker engine. GATEWAY_PORT and INBOX_PORT choose other ports.
set -eu
cd "$(dirname "$0")/.."
export GATEWAY_PORT="${GATEWAY_PORT:-13000}" INBOX_PORT="${INBOX_PORT:-18025}" VERSION=check
api=http://127.0.0.1:$GATEWAY_PORT/api/v1
email=ada.lovelace@example.com

compose() { docker compose --project-name marketplace-check --env-file .env.example "$@"; }
clean_up() {
  [ "$?" -eq 0 ] || compose logs --tail 50
  compose down --volumes --remove-orphans
}
trap clean_up EXIT
trap 'exit 1' INT TERM

post() {
  echo "POST $1"
  curl --fail-with-body --silent --show-error --output /dev/null --header 'Content-Type: application/json' --data "$2" "$api/$1"
}

sh deploy/create-secrets.sh
# Two instances under one name. It waits until every process is ready, which needs all others.
compose up --build --detach --wait --scale auth-service=2
compose run --rm --no-deps migrate

post customers/auth/sign-up "{\"email\":\"$email\",\"password\":\"correct horse battery\"}"
post customers/auth/reset-password/email/code/send "{\"email\":\"$email\"}"
for attempt in $(seq 30); do
  if curl --fail --silent "http://127.0.0.1:$INBOX_PORT/api/v1/messages" | grep --quiet "$email"; then break; fi
  [ "$attempt" -lt 30 ] || { echo "No mail has arrived for $email." >&2; exit 1; }
  sleep 1
done
compose exec -T mailer-worker node mailer-worker/src/run-cleanup.ts

echo 'Stopping: every process must exit with 0.'
compose stop
containers=$(compose ps --all --quiet gateway auth-service admin-service mailer-worker)
for container in $containers; do
  docker inspect --format '{{.Name}} exited with {{.State.ExitCode}}' "$container"
  [ "$(docker inspect --format '{{.State.ExitCode}}' "$container")" -eq 0 ]
done
echo 'The images are built, and the platform runs from them.'
