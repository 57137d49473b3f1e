<?php

/** Makes the one call that the vectors ask for, and reports on it (protocol: idempact.vectors.client). */

declare(strict_types=1);

const DEFAULT_HEADERS = ['Content-Type' => 'application/json'];

/** @return array<string, string> */
function headers(): array
{
    $key = getenv('VECTOR_KEY');
    return DEFAULT_HEADERS + ($key === false ? [] : ['Idempotency-Key' => $key]);
}

/** @param callable(string, string): ?int $call the last answer's status, of what it sent to a URL; null: none */
function report(callable $call): void
{
    $start = hrtime(true);
    $status = $call((string) getenv('VECTOR_URL'), (string) getenv('VECTOR_BODY'));
    $ok = $status !== null && $status >= 200 && $status < 300;
    $elapsed = intdiv(hrtime(true) - $start, 1_000_000);
    echo json_encode(['ok' => $ok, 'status' => $status, 'kind' => '', 'elapsed_ms' => $elapsed]), "\n";
}
