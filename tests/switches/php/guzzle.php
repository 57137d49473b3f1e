<?php

/** Guzzle's retry middleware with the decider that most guides give it, which is the caller's to write. */

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';
require __DIR__ . '/call.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Exception\TransferException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;

$decide = fn (int $retries, $request, $answer, $error) => $retries < 3
    && ($error instanceof ConnectException || ($answer && ($answer->getStatusCode() >= 500 || $answer->getStatusCode() === 429)));
$stack = HandlerStack::create();
$stack->push(Middleware::retry($decide, fn (int $retries) => min(800, 100 * 2 ** ($retries - 1))));
$client = new Client(['handler' => $stack, 'http_errors' => false, 'connect_timeout' => 0.5, 'timeout' => 1]);
report(function (string $url, string $body) use ($client): ?int {
    try {
        return $client->post($url, ['body' => $body, 'headers' => headers()])->getStatusCode();
    } catch (TransferException) {
        return null;
    }
});
