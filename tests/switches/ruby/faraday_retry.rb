# frozen_string_literal: true

# Faraday's retry middleware; with `post` for POST and the usual statuses.
require "date"
require "faraday"
require "json"

options = { max: 3, interval: 0.1, backoff_factor: 2, max_interval: 0.8, interval_randomness: 0.5 }
options.merge!(methods: %i[post], retry_statuses: [429, 500, 502, 503, 504]) if ARGV.include?("post")
connection = Faraday.new do |faraday|
  faraday.request :retry, options
  faraday.options.timeout = 1
  faraday.options.open_timeout = 0.5
end
headers = { "Content-Type" => "application/json", "Idempotency-Key" => ENV.fetch("VECTOR_KEY", nil) }.compact
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
status = begin
  connection.post(ENV.fetch("VECTOR_URL"), ENV.fetch("VECTOR_BODY"), headers).status
rescue Faraday::Error
  nil
end
elapsed = (1000 * (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)).round
puts JSON.generate(ok: !status.nil? && (200..299).cover?(status), status: status, kind: "", elapsed_ms: elapsed)
