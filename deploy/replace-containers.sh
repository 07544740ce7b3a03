#!/bin/sh
# sh deploy/replace-containers.sh <service>…: replaces the containers of services one by one by new ones with the current image,
# settings and secrets, without a failed request. Each new container is ready before the old one stops, also with one instance.
# Interrupted, it leaves a container more or a stopped one: the next run replaces or removes them too.
# Not for the gateway, whose port only one container can publish.
set -eu
cd "$(dirname "$0")/.."

for service; do
  docker compose rm --force "$service"
  replicas=$(docker compose config "$service" | sed -n 's/^ *replicas: *"*\([0-9]*\).*/\1/p')
  for container in $(docker compose ps --quiet "$service"); do
    # Not --no-deps, with which Compose takes the new container for a changed one, and recreates it later.
    docker compose up --detach --wait --no-recreate --scale "$service=$((${replicas:-1} + 1))" "$service"
    sleep 3 # The gateway looks addresses up every second.
    docker stop "$container"
    docker rm "$container"
  done
done
