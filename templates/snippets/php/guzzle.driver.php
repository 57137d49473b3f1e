<?php

// Makes the calls of one vector with the rendered loop beside it (protocol: idempact.vectors.client).

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Exception\TransferException;
use GuzzleHttp\Handler\CurlHandler;
use GuzzleHttp\HandlerStack;
use Psr\Log\AbstractLogger;
use RetryLoop\ApiError;
use RetryLoop\KeyReused;
use RetryLoop\OutcomeUnknown;
use RetryLoop\RetryLoop;

require 'GuzzleHttp/autoload.php';
require 'Psr/Log/autoload.php';
require __DIR__ . '/RetryLoop.php';

$log = new class extends AbstractLogger {
    public function log($level, $message, array $context = []): void
    {
        fwrite(STDERR, "$message\n");
    }
};
$handler = new CurlHandler();
if (getenv('VECTOR_WARM_URL')) {
    (new Client(['handler' => new HandlerStack($handler)]))->get(getenv('VECTOR_WARM_URL'));
}
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
        $answer = (new RetryLoop($log, $handler))->send(getenv('VECTOR_URL'), $body, getenv('VECTOR_KEY') === false ? null : $key, ...$more);
        [$kind, $status] = ['success', $answer->getStatusCode()];
    } catch (KeyReused $error) {
        [$kind, $status] = ['mismatch', $error->answer->getStatusCode()];
    } catch (ApiError $error) {
        [$kind, $status] = ['refused', $error->answer->getStatusCode()];
    } catch (OutcomeUnknown $error) {
        [$kind, $status] = ['unknown', $error->answer?->getStatusCode()];
    } catch (TransferException) {
        $kind = 'not-sent';
    } catch (DomainException) {
        $kind = 'cancelled';
    }
    $elapsed = intdiv(hrtime(true) - $start, 1_000_000);
    echo json_encode(['ok' => $kind === 'success', 'kind' => $kind, 'status' => $status, 'elapsed_ms' => $elapsed]), "\n";
}
