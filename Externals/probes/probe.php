<?php

// The program with which test-frames tests frame.php.

declare(strict_types=1);

require $argv[1];

Frame\serve('probe', '1', ['EC_v1', 'RSA_v1'], function (string $token, $key, $request): string {
    if ($token === 'throw') {
        throw new RuntimeException('a bug in ' . str_repeat('A', 40) . "\nof mine");
    }
    if ($token === 'refuse') {
        throw new Frame\Refused("first line\nsecond line " . str_repeat('é', 300), 'signatureMismatch');
    }
    $values = [
        'pkcs8' => $key->pkcs8Pem,
        'sec1' => $key->sec1Pem,
        'pkcs12' => $key->certificatePem === null ? '' : $key->pkcs12('secret'),
        'merchantIdHash' => $key->merchantIdHash,
        'merchantId' => $key->merchantId,
        'certificate' => $key->certificatePem,
        'at' => $request->at->getTimestamp(),
        'window' => $request->window ?? 'none',
        'counts' => sprintf(
            '%d keys, %d roots, %d earlier', count($request->keys), count($request->roots), count($request->prelude),
        ),
    ];
    $lines = array_map(fn ($name) => "$name " . base64_encode((string) $values[$name]) . "\n", array_keys($values));
    return implode('', $lines);
});
