# Takes an instance out of nginx while it is replaced. Sourced by ops/upgrade.
# nginx asks no instance whether it is ready, and sends requests until the moment when one stops listening; an order that
# arrives at that moment would be answered with 502, because nginx must not send it twice.
# NGINX_INSTANCES and NGINX_PID (of nginx's master process) are for tests.

# set_instance PORT down|up: nothing happens where nginx does not have the file, for example with Caddy.
set_instance() {
  local file=${NGINX_INSTANCES:-/etc/nginx/snippets/thunse-instances.conf} end=';'
  [ -e "$file" ] || return 0
  [ "$2" = up ] || end=' down;'
  sed -i -E "/:$1 /s/( down)?;\$/$end/" "$file"
  if [ -n "${NGINX_PID:-}" ]; then kill -HUP "$NGINX_PID"; else systemctl try-reload-or-restart nginx; fi
}
