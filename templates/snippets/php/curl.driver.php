<?php

// Makes the calls of one vector with the rendered loop beside it (protocol: idempact.vectors.client).
// Each attempt opens a connection of its own, so VECTOR_WARM_URL is not used.

declare(strict_types=1);

use RetryLoop\ApiError;
use RetryLoop\Fault;
use RetryLoop\KeyReused;
use RetryLoop\OutcomeUnknown;

require __DIR__ . '/RetryLoop.php';

$calls = (int) (getenv('VECTOR_CALLS') ?: 1);
$more = getenv('VECTOR_FIRST_SENT') ? ['firstSent' => new DateTimeImmutable(getenv('VECTOR_FIRST_SENT'))] : [];
if (getenv('VECTOR_CANCEL_MS')) {
    pcntl_async_signals(true);
    pcntl_signal(SIGALRM, static fn () => throw new DomainException('called off'));
    pcntl_alarm((int) ceil(getenv('VECTOR_CANCEL_MS') / 1000));
}
for ($number = 1; $number <= $calls; $number++) {
    $start = hrtime(true);
    $status = null;
    try {
        $key = getenv('VECTOR_KEY') . ($calls === 1 ? '' : "-$number");
        $body = json_decode(getenv('VECTOR_BODY'), true);
        $answer = RetryLoop\send(getenv('VECTOR_URL'), $body, getenv('VECTOR_KEY') === false ? null : $key, ...$more);
        [$kind, $status] = ['success', $answer->status];
    } catch (KeyReused $error) {
        [$kind, $status] = ['mismatch', $error->answer->status];
    } catch (ApiError $error) {
        [$kind, $status] = ['refused', $error->answer->status];
    } catch (OutcomeUnknown $error) {
        [$kind, $status] = ['unknown', $error->answer?->status];
    } catch (Fault) {
        $kind = 'not-sent';
    } catch (DomainException) {
        $kind = 'cancelled';
    }
    $elapsed = intdiv(hrtime(true) - $start, 1_000_000);
    echo json_encode(['ok' => $kind === 'success', 'kind' => $kind, 'status' => $status, 'elapsed_ms' => $elapsed]), "\n";
}
