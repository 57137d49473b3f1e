# frozen_string_literal: true

# Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
require "faraday"
require_relative "retry_loop"

connection = Faraday.new
connection.get(ENV.fetch("VECTOR_WARM_URL")) if ENV["VECTOR_WARM_URL"]
start = RetryLoop.now
ok, kind, status = begin
  body = JSON.parse(ENV.fetch("VECTOR_BODY"))
  [true, "success", RetryLoop.call(connection, ENV.fetch("VECTOR_URL"), body, key: ENV.fetch("VECTOR_KEY", nil)).status]
rescue RetryLoop::KeyReused => e
  [false, "mismatch", e.response.status]
rescue RetryLoop::ApiError => e
  [false, "refused", e.response.status]
rescue RetryLoop::OutcomeUnknown => e
  [false, "unknown", e.response&.status]
rescue Faraday::Error
  [false, "not-sent", nil]
end
puts JSON.generate(ok: ok, kind: kind, status: status, elapsed_ms: (1000 * (RetryLoop.now - start)).round)
