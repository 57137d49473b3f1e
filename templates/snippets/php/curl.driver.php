<?php

// Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
// Each attempt opens a connection of its own, so VECTOR_WARM_URL is not used.

declare(strict_types=1);

use RetryLoop\ApiError;
use RetryLoop\Fault;
use RetryLoop\KeyReused;
use RetryLoop\OutcomeUnknown;

require __DIR__ . '/RetryLoop.php';

$start = hrtime(true);
$status = null;
try {
    $key = getenv('VECTOR_KEY');
    $body = json_decode(getenv('VECTOR_BODY'), true);
    $answer = RetryLoop\send(getenv('VECTOR_URL'), $body, $key === false ? null : $key);
    [$kind, $status] = ['success', $answer->status];
} catch (KeyReused $error) {
    [$kind, $status] = ['mismatch', $error->answer->status];
} catch (ApiError $error) {
    [$kind, $status] = ['refused', $error->answer->status];
} catch (OutcomeUnknown $error) {
    [$kind, $status] = ['unknown', $error->answer?->status];
} catch (Fault) {
    $kind = 'not-sent';
}
$elapsed = intdiv(hrtime(true) - $start, 1_000_000);
echo json_encode(['ok' => $kind === 'success', 'kind' => $kind, 'status' => $status, 'elapsed_ms' => $elapsed]), "\n";
