#!/usr/bin/env bash
# Reloads nginx whenever the application has made a new edition, so that nginx itself
# answers for it. Without this, nginx passes pages on to the application from the moment
# at which its edition is out of date.
#
#   follow-editions.sh /var/lib/korob/editions [options of nginx, such as -c FILE]
#
# As a service of systemd, /etc/systemd/system/korob-editions.service:
#
#   [Unit]
#   After=nginx.service
#   [Service]
#   ExecStart=/opt/korob/scripts/deploy/follow-editions.sh /var/lib/korob/editions
#   Restart=always
#   [Install]
#   WantedBy=multi-user.target
set -u

current=$1/current
shift

# Which edition nginx has, nobody knows at first: once too often does no harm.
seen=
while sleep 2; do
  now=$(readlink "$current")
  [[ -n $now && $now != "$seen" ]] || continue
  # A configuration that does not hold is tried again: nginx goes on with what it has.
  if nginx -t -q "$@" && nginx -s reload "$@"; then
    seen=$now
    echo "nginx moves to edition $now"
  fi
done
