# The liveness check. The server must respond, even while it loads its data, and must not be the replica of a
# former primary. Sentinel corrects only the replicas that it knows. A replica that lost its primary right
# after its first start must start again and query the Sentinels.
timeout 2 valkey-cli PING > /dev/null || exit 1
state=$(timeout 2 valkey-cli INFO replication | tr -d '\r')
case $state in
  *master_link_status:down*) ;;
  *) exit 0 ;;
esac
primary=$(sh /etc/valkey/find-primary.sh)
followed=$(echo "$state" | sed -n 's/^master_host://p')
[ -z "$primary" ] || [ "$primary" = "$followed" ] || { echo "Follows $followed; the primary is $primary."; exit 1; }
