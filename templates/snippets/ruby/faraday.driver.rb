# frozen_string_literal: true

# Makes the calls of one vector with the rendered loop beside it (protocol: idempact.vectors.client).
require "faraday"
require_relative "retry_loop"

CONNECTION = Faraday.new
CONNECTION.get(ENV.fetch("VECTOR_WARM_URL")) if ENV["VECTOR_WARM_URL"]
CalledOff = Class.new(StandardError)

def options(start)
  first, cancel = ENV.values_at("VECTOR_FIRST_SENT", "VECTOR_CANCEL_MS")
  pause = lambda do |seconds|
    left = cancel ? start + cancel.to_i / 1000.0 - RetryLoop.now : seconds
    sleep([seconds, left].min.clamp(0..))
    raise CalledOff if left < seconds
  end
  { pause: pause }.merge(first ? { first_sent: Time.httpdate(first) } : {})
end

def call(key)
  start = RetryLoop.now
  ok, kind, status = begin
    body = JSON.parse(ENV.fetch("VECTOR_BODY"))
    [true, "success", RetryLoop.call(CONNECTION, ENV.fetch("VECTOR_URL"), body, key: key, **options(start)).status]
  rescue RetryLoop::KeyReused => e
    [false, "mismatch", e.response.status]
  rescue RetryLoop::ApiError => e
    [false, "refused", e.response.status]
  rescue RetryLoop::OutcomeUnknown => e
    [false, "unknown", e.response&.status]
  rescue Faraday::Error
    [false, "not-sent", nil]
  rescue CalledOff
    [false, "cancelled", nil]
  end
  JSON.generate(ok: ok, kind: kind, status: status, elapsed_ms: (1000 * (RetryLoop.now - start)).round)
end

key, calls = ENV.fetch("VECTOR_KEY", nil), ENV.fetch("VECTOR_CALLS", "1").to_i
keys = (1..calls).map { |number| calls == 1 ? key : key && "#{key}-#{number}" }
puts(ENV["VECTOR_AT_ONCE"] ? keys.map { |each| Thread.new { call(each) } }.map(&:value) : keys.map { |each| call(each) })
