<?php

// Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).

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
$start = hrtime(true);
$status = null;
try {
    $key = getenv('VECTOR_KEY');
    $body = json_decode(getenv('VECTOR_BODY'), true);
    $answer = (new RetryLoop($log, $handler))->send(getenv('VECTOR_URL'), $body, $key === false ? null : $key);
    [$kind, $status] = ['success', $answer->getStatusCode()];
} catch (KeyReused $error) {
    [$kind, $status] = ['mismatch', $error->answer->getStatusCode()];
} catch (ApiError $error) {
    [$kind, $status] = ['refused', $error->answer->getStatusCode()];
} catch (OutcomeUnknown $error) {
    [$kind, $status] = ['unknown', $error->answer?->getStatusCode()];
} catch (TransferException) {
    $kind = 'not-sent';
}
$elapsed = intdiv(hrtime(true) - $start, 1_000_000);
echo json_encode(['ok' => $kind === 'success', 'kind' => $kind, 'status' => $status, 'elapsed_ms' => $elapsed]), "\n";
