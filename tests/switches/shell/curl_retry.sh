#!/usr/bin/env bash
# curl's own retries; further options come as arguments.
deadline=5
[[ $VECTOR_PROFILE == tight ]] && deadline=2 # whole seconds only
key=()
[[ ${VECTOR_KEY+set} ]] && key=(--header "Idempotency-Key: $VECTOR_KEY")
started=${EPOCHREALTIME/[.,]/}
status=$(curl --disable --silent --output answer.$$ --write-out '%{http_code}' --max-time 1 --connect-timeout 0.5 \
  --retry 3 --retry-max-time "$deadline" "$@" --header 'Content-Type: application/json' "${key[@]}" \
  --data-binary "$VECTOR_BODY" "$VECTOR_URL")
code=$?
ended=${EPOCHREALTIME/[.,]/}
rm -f answer.$$
[[ $code == 0 && $status == 2?? ]] && ok=true || ok=false
[[ $code == 0 ]] || status=null
printf '{"ok": %s, "status": %s, "kind": "", "elapsed_ms": %d}\n' "$ok" "$status" $(((ended - started) / 1000))
