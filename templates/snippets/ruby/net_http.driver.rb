# frozen_string_literal: true

# Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
# Each attempt opens a connection of its own, so VECTOR_WARM_URL is not used.
require_relative "retry_loop"

start = RetryLoop.now
ok, kind, status = begin
  body = JSON.parse(ENV.fetch("VECTOR_BODY"))
  [true, "success", RetryLoop.call(ENV.fetch("VECTOR_URL"), body, key: ENV.fetch("VECTOR_KEY", nil)).code.to_i]
rescue RetryLoop::KeyReused => e
  [false, "mismatch", e.response.code.to_i]
rescue RetryLoop::ApiError => e
  [false, "refused", e.response.code.to_i]
rescue RetryLoop::OutcomeUnknown => e
  [false, "unknown", e.response&.code&.to_i]
rescue RetryLoop::NotSent
  [false, "not-sent", nil]
end
puts JSON.generate(ok: ok, kind: kind, status: status, elapsed_ms: (1000 * (RetryLoop.now - start)).round)
