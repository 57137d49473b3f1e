#!/usr/bin/env bash
# Makes the calls of one vector with the rendered loop beside it (protocol: idempact.vectors.client).
# Each curl opens a connection of its own, so VECTOR_WARM_URL is not used; calls share no budget, so none is made at once.
source ./retry-loop.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the loop prints the body of a success and not its status, so the status is caught where the loop decides on it
eval "$(declare -f verdict_on | sed '1s/verdict_on/decide/')"
verdict_on() {
  echo "$1" >"$work/status"
  decide "$@"
}

call() { # key
  local start code elapsed ok kind status pid
  start=$(now_ms)
  printf '%s' "$VECTOR_BODY" >"$work/payload"
  set -m # a process group of its own, as a terminal gives it, so that the signal reaches all of the call
  (
    trap : TERM
    send "$VECTOR_URL" "$1" ${VECTOR_FIRST_SENT+"$VECTOR_FIRST_SENT"} <"$work/payload" >"$work/answer" 2>"$work/log"
  ) &
  pid=$!
  set +m
  if [[ ${VECTOR_CANCEL_MS-} ]]; then
    sleep "$(seconds "$VECTOR_CANCEL_MS")"
    kill -TERM -- "-$pid" 2>/dev/null
  fi
  wait "$pid"
  code=$?
  elapsed=$(($(now_ms) - start))
  cat "$work/log" >&2
  case $code in
    0) ok=true kind=success status=$(cat "$work/status") ;;
    "$REFUSED") ok=false kind=refused ;;
    "$KEY_REUSED") ok=false kind=mismatch ;;
    "$UNKNOWN") ok=false kind=unknown ;;
    "$NOT_SENT") ok=false kind=not-sent ;;
    130 | 143) ok=false kind=cancelled ;; # 143: before the call had begun
    *) ok=false kind="exit-$code" ;;
  esac
  [[ $code == 0 ]] || status=$(sed -n 's/^failed verdict=.* status=//p' "$work/log")
  [[ $status == 000 || -z $status ]] && status=null
  printf '{"ok": %s, "kind": "%s", "status": %s, "elapsed_ms": %d}\n' "$ok" "$kind" "$status" "$elapsed"
}

calls=${VECTOR_CALLS:-1}
for ((number = 1; number <= calls; number++)); do
  ((calls == 1)) && call "${VECTOR_KEY-}" || call "${VECTOR_KEY+$VECTOR_KEY-$number}"
done
