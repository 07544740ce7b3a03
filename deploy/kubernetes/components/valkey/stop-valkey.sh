# Before the pod stops: a primary hands over to a replica, which takes a second, instead of being missed after three.
get_role() { timeout 2 valkey-cli ROLE | head -n 1; }
[ "$(get_role)" = master ] || exit 0
for ordinal in 0 1 2; do
  reply=$(timeout 2 valkey-cli -h "valkey-sentinel-$ordinal.valkey-sentinel" -p 26379 SENTINEL FAILOVER marketplace 2>&1)
  [ "$reply" = OK ] && break
done
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  [ "$(get_role)" = master ] || exit 0
  sleep 1
done
