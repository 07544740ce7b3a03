#!/bin/bash
# The HEALTHCHECK of the images, which have no curl. Requests a path from the operations port of the process in
# this container. Bash opens TCP connections itself; Node would take 77 MB and 20 times as long, every 5 s in
# each container.
#   bash deploy/check-health.sh <port variable> <default port> <path>
# Prints the status and the body. The exit code is 0 only for status 200 within the time limit.
set -u
readonly TIMEOUT_SECONDS=2 MAX_BODY=4096

if [[ $1 != --request ]]; then
  # A separate process, because connecting and writing cannot be interrupted otherwise.
  timeout "$TIMEOUT_SECONDS" "$BASH" "$0" --request "$@"
  code=$?
  ((code == 124)) && echo "no response within $TIMEOUT_SECONDS s"
  exit $((code != 0))
fi

shift
port=${!1:-$2} path=${3:-/healthz}
case ${LISTEN_HOST:-} in
  '' | 0.0.0.0 | ::) host=127.0.0.1 ;; # listens on all addresses
  *) host=$LISTEN_HOST ;;
esac

{ exec 3<>"/dev/tcp/$host/$port"; } 2>&1 || exit
# HTTP/1.0: the server closes the connection after the body, which is not chunked.
printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$path" >&3
IFS=' ' read -r -u 3 _ status _
line=
until [[ $line == $'\r' ]]; do
  IFS= read -r -u 3 line || { echo 'incomplete response' && exit 1; }
done
IFS= read -r -N "$MAX_BODY" -u 3 body
printf '%s %s\n' "${status:-no status}" "$body"
[[ $status == 200 ]]
