#!/bin/sh
# sh deploy/replace-containers.sh <service>…: replaces the containers of the services one by one with new ones
# that have the current image, settings and secrets, without a failed request. Each new container is ready
# before the old one stops, even if there is only one instance. If it is interrupted, an additional or a
# stopped container remains, which the next run replaces or deletes. It does not work for the gateway, whose
# port only one container can publish.
set -eu
cd "$(dirname "$0")/.."

for service; do
  docker compose rm --force "$service"
  replicas=$(docker compose config "$service" | sed -n 's/^ *replicas: *"*\([0-9]*\).*/\1/p')
  for container in $(docker compose ps --quiet "$service"); do
    # Without --no-deps, because with it Compose would consider the new container changed and recreate it
    # later.
    docker compose up --detach --wait --no-recreate --scale "$service=$((${replicas:-1} + 1))" "$service"
    sleep 3 # The gateway looks addresses up every second.
    docker stop "$container"
    docker rm "$container"
  done
done
