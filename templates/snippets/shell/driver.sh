#!/usr/bin/env bash
# Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
# Each curl opens a connection of its own, so VECTOR_WARM_URL is not used.
source ./retry-loop.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the loop prints the body of a success and not its status, so the status is caught where the loop decides on it
eval "$(declare -f verdict_on | sed '1s/verdict_on/decide/')"
verdict_on() {
  echo "$1" >"$work/status"
  decide "$@"
}

start=$(now_ms)
printf '%s' "$VECTOR_BODY" | send "$VECTOR_URL" "${VECTOR_KEY-}" >"$work/answer" 2>"$work/log"
code=$?
elapsed=$(($(now_ms) - start))
cat "$work/log" >&2
case $code in
  0) ok=true kind=success status=$(cat "$work/status") ;;
  "$REFUSED") ok=false kind=refused ;;
  "$KEY_REUSED") ok=false kind=mismatch ;;
  "$UNKNOWN") ok=false kind=unknown ;;
  "$NOT_SENT") ok=false kind=not-sent ;;
  *) ok=false kind="exit-$code" ;;
esac
[[ $code == 0 ]] || status=$(sed -n 's/^failed verdict=.* status=//p' "$work/log")
[[ $status == 000 || -z $status ]] && status=null
printf '{"ok": %s, "kind": "%s", "status": %s, "elapsed_ms": %d}\n' "$ok" "$kind" "$status" "$elapsed"
