<?php

/** Symfony's client in its RetryableHttpClient. */

declare(strict_types=1);

require 'Symfony/Component/HttpClient/autoload.php';
require __DIR__ . '/call.php';

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\HttpClient\Retry\GenericRetryStrategy;
use Symfony\Component\HttpClient\RetryableHttpClient;
use Symfony\Contracts\HttpClient\Exception\TransportExceptionInterface;

$strategy = new GenericRetryStrategy(delayMs: 100, maxDelayMs: 800);
$limits = ['timeout' => 1, 'max_duration' => getenv('VECTOR_PROFILE') === 'tight' ? 1.5 : 5]; // per read; over all
$client = new RetryableHttpClient(HttpClient::create($limits), $strategy, 3);
report(function (string $url, string $body) use ($client): ?int {
    try {
        $answer = $client->request('POST', $url, ['body' => $body, 'headers' => headers()]);
        $answer->getContent(false);
        return $answer->getStatusCode();
    } catch (TransportExceptionInterface) {
        return null;
    }
});
