<?php

// Puts a decryptor behind assay's line protocol, so that `assay diff` can compare it with others.
//
// The protocol, one JSON object per line:
//   in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":…}
//   out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
//   in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
//   out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}
//
// Usage, with PHP 8.2 and its extension openssl. Copy this file next to yours:
//
//   require 'frame.php';
//
//   Frame\serve('mine', '1.0', ['EC_v1', 'signature', 'roots'], function ($token, $key, $request): string {
//       try {
//           return (new MyDecoder($request->roots))->decrypt($token, $key->sec1Pem, $key->merchantIdHash);
//       } catch (MyInvalidToken $error) {
//           throw new Frame\Refused($error->getMessage()); // any other error is one: nothing is decided
//       }
//   });
//
// Then: assay diff --external 'php yours.php'
//
// Apache 2.0; part of assay. You may copy this file into your own tests.

declare(strict_types=1);

namespace Frame;

/** The exception by which the function refuses a token. */
final class Refused extends \Exception
{
    /** `$reason` is for people; `$code` is one of assay's Docs/Verification.md. */
    public function __construct(string $reason, ?string $code = null)
    {
        parent::__construct($reason);
        $this->code = $code;
    }
}

/** A merchant's private key in the forms that libraries ask for. */
final class Key
{
    public readonly \OpenSSLAsymmetricKey $privateKey;
    /** Of the tokens that it decrypts: EC_v1 or RSA_v1. */
    public readonly string $version;
    /** -----BEGIN PRIVATE KEY----- */
    public readonly string $pkcs8Pem;
    /** -----BEGIN EC PRIVATE KEY-----; null for an RSA key. */
    public readonly ?string $sec1Pem;
    /** What `header.publicKeyHash` of a token names it by: SHA-256 of the SubjectPublicKeyInfo, 32 bytes. */
    public readonly string $publicKeyHash;
    /** SHA-256 of the merchant ID, 32 bytes: from the certificate, else of `$merchantId`. */
    public readonly ?string $merchantIdHash;

    public function __construct(
        string $privateKeyPem,
        public readonly ?string $certificatePem,
        public readonly ?string $merchantId,
    ) {
        $key = openssl_pkey_get_private($privateKeyPem);
        $certificate = $certificatePem === null ? [] : openssl_x509_parse($certificatePem);
        demand($key !== false && $certificate !== false, 'a key or its certificate cannot be read');
        openssl_pkey_export($key, $pkcs8Pem);
        $details = openssl_pkey_get_details($key);
        $this->privateKey = $key;
        $this->version = $details['type'] === OPENSSL_KEYTYPE_EC ? 'EC_v1' : 'RSA_v1';
        $this->pkcs8Pem = $pkcs8Pem;
        $this->sec1Pem = $this->version === 'EC_v1' ? self::sec1($details['ec']) : null;
        $publicKey = base64_decode(preg_replace('/-----[^-]+-----/', '', $details['key']));
        $this->publicKeyHash = hash('sha256', $publicKey, true);
        $extension = $certificate['extensions']['1.2.840.113635.100.6.32'] ?? null;
        $this->merchantIdHash = match (true) {
            $extension !== null => hex2bin(substr($extension, -64)),
            $merchantId !== null => hash('sha256', $merchantId, true),
            default => null,
        };
    }

    /** Key and certificate as PKCS #12 (.p12), DER. Needs a certificate. */
    public function pkcs12(string $password): string
    {
        openssl_pkcs12_export($this->certificatePem, $pkcs12, $this->privateKey, $password);
        return $pkcs12;
    }

    /** ECPrivateKey of RFC 5915 for a key on P-256, which PHP does not write. */
    private static function sec1(array $numbers): string
    {
        [$d, $x, $y] = array_map(
            fn ($name) => bin2hex(str_pad($numbers[$name], 32, "\0", STR_PAD_LEFT)), ['d', 'x', 'y'],
        );
        $der = hex2bin("30770201010420{$d}a00a06082a8648ce3d030107a14403420004{$x}{$y}");
        $text = chunk_split(base64_encode($der), 64, "\n");
        return "-----BEGIN EC PRIVATE KEY-----\n{$text}-----END EC PRIVATE KEY-----\n";
    }
}

/** A line with a token, and what hello gave. */
final class Request
{
    /**
     * @param list<Key> $keys all keys
     * @param list<string> $roots PEM; trust no other
     * @param ?int $window seconds that the signing time may be from `$at`; null where it is not checked
     * @param \DateTimeImmutable $at the verification time, `$atText` as RFC 3339
     * @param array $policy the protocol's object with all defaults
     * @param list<string> $prelude tokens to decrypt before this one, for replay detection
     */
    public function __construct(
        public readonly array $keys,
        public readonly array $roots,
        public readonly ?int $window,
        public readonly \DateTimeImmutable $at,
        public readonly string $atText,
        public readonly array $policy,
        public readonly array $prelude,
    ) {
    }
}

/**
 * Answers every line of standard input, until it ends.
 *
 * @param list<string> $supports
 * @param callable(string, ?Key, Request): string $decrypt gets a token, the key that it names and what to check it by;
 *     returns the plaintext
 */
function serve(string $name, string $version, array $supports, callable $decrypt): void
{
    // Only answers go to standard output, whatever a library prints.
    ini_set('display_errors', 'stderr');
    ob_start(fn ($text) => fwrite(STDERR, $text) === false ? $text : '', 1);
    $session = new Session(['name' => $name, 'version' => $version, 'supports' => $supports], $decrypt(...));
    while (($line = fgets(STDIN)) !== false) {
        $flags = JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES;
        fwrite(STDOUT, json_encode($session->answer($line), $flags) . "\n");
        fflush(STDOUT);
    }
}

/** A line that cannot be used. The message repeats nothing of the line. */
final class Unusable extends \Exception
{
}

/** One answer to each line. */
final class Session
{
    private const EXPECT = ['currency' => null, 'amount' => null, 'applicationData' => null];
    private const POLICY =
        ['envelope' => 'apple', 'unsigned' => false, 'expect' => self::EXPECT, 'replay' => false, 'revoked' => []];

    /** `keys`, `roots` and `window` once hello is accepted. */
    private ?array $hello = null;

    public function __construct(private readonly array $identity, private readonly \Closure $decrypt)
    {
    }

    public function answer(string $line): array
    {
        $address = $this->hello === null ? ['hello' => 1] : ['id' => null];
        try {
            $message = json_decode($line, true, 32);
            demand(is_array($message) && !array_is_list($message), 'the line is not a JSON object');
            if (array_key_exists('hello', $message)) {
                $address = ['hello' => 1];
                return $address + $this->greeting($message);
            }
            $address = ['id' => null];
            $address = ['id' => typed($message, 'id', 'string')];
            demand($this->hello !== null, 'hello comes first');
            return $address + $this->verdict(bytes(typed($message, 'token', 'string')), $this->request($message));
        } catch (Unusable $error) {
            return $address + ['error' => $error->getMessage()];
        }
    }

    private function greeting(array $message): array
    {
        demand($this->hello === null, 'hello was accepted before');
        demandKnown($message, ['hello', 'keys', 'rootsPem', 'windowSeconds']);
        demand($message['hello'] === 1, 'hello is not 1');
        $window = array_key_exists('windowSeconds', $message) ? $message['windowSeconds'] : -1;
        demand($window === null || is_int($window) && $window >= 0, 'windowSeconds is missing or not a whole number');
        $keys = array_map($this->key(...), items($message, 'keys', 'array'));
        $this->hello = [$keys, items($message, 'rootsPem', 'string'), $window];
        return $this->identity;
    }

    private function key(array $members): Key
    {
        demandKnown($members, ['privateKeyPem', 'certificatePem', 'merchantId']);
        $text = fn ($name) => typed($members, $name, 'string');
        $optional = fn ($name) => isset($members[$name]) ? $text($name) : null;
        return new Key($text('privateKeyPem'), $optional('certificatePem'), $optional('merchantId'));
    }

    private function request(array $message): Request
    {
        demandKnown($message, ['id', 'token', 'at', 'policy', 'prelude']);
        $text = typed($message, 'at', 'string');
        $at = \DateTimeImmutable::createFromFormat('!Y-m-d\TH:i:s\Z', $text, new \DateTimeZone('UTC'));
        demand($at && $at->format('Y-m-d\TH:i:s\Z') === $text, 'at is not a time like 2026-01-31T12:00:00Z');
        $given = isset($message['policy']) ? typed($message, 'policy', 'array') : [];
        $policy = self::filled($given, self::POLICY);
        $policy['expect'] = self::filled($policy['expect'], self::EXPECT);
        $prelude = isset($message['prelude']) ? array_map(bytes(...), items($message, 'prelude', 'string')) : [];
        return new Request(...$this->hello, at: $at, atText: $text, policy: $policy, prelude: $prelude);
    }

    /** The members, with these defaults for absent and null ones. Each must have the type of its default. */
    private static function filled(array $given, array $defaults): array
    {
        demandKnown($given, array_keys($defaults));
        foreach (array_filter($given, fn ($value) => $value !== null) as $name => $value) {
            $type = get_debug_type($defaults[$name]);
            $defaults[$name] = $type === 'null' ? $value : typed($given, $name, $type);
        }
        return $defaults;
    }

    private function verdict(string $token, Request $request): array
    {
        $members = json_decode($token, true);
        $version = is_array($members) ? $members['version'] ?? null : null;
        $version = in_array($version, ['EC_v1', 'RSA_v1'], true) ? $version : null;
        $named = $members['header']['publicKeyHash'] ?? null;
        if (array_diff(self::needs($request->policy, $version), $this->identity['supports']) !== []) {
            return ['unsupported' => true];
        }
        $hasVersion = fn ($key) => in_array($version, [null, $key->version], true);
        $keys = array_values(array_filter($request->keys, $hasVersion));
        $isNamed = fn ($key) => base64_encode($key->publicKeyHash) === $named;
        $key = array_values(array_filter($keys, $isNamed))[0] ?? $keys[0] ?? null;
        try {
            $key ?? throw new Refused('hello has no merchant key');
            return ['accepted' => true, 'plaintext' => base64_encode(($this->decrypt)($token, $key, $request))];
        } catch (Refused $refusal) {
            preg_match('/^.{0,200}/su', preg_replace('/\s+/', ' ', $refusal->getMessage()), $reason);
            $reason = $reason[0] ?? 'a reason that is not UTF-8';
            return ['accepted' => false, 'code' => $refusal->getCode(), 'reason' => $reason];
        } catch (Unusable $error) {
            throw $error;
        } catch (\Throwable $error) {
            fwrite(STDERR, "$error\n");
            return ['error' => self::described($error)];
        }
    }

    /** One line of at most 200 characters, without long runs of base64 or hex, which may be of the token. */
    private static function described(\Throwable $error): string
    {
        $text = preg_replace(['~[A-Za-z0-9+/=_-]{33,}~', '/\s+/'], ['…', ' '], $error->getMessage());
        preg_match('/^.{0,200}/su', $error::class . ": $text", $described);
        return $described[0] ?? $error::class;
    }

    /** The words of `supports` that a line needs. */
    private static function needs(array $policy, ?string $version): array
    {
        return array_keys(array_filter([
            'envelopes' => $policy['envelope'] !== 'apple',
            'expect' => $policy['expect'] !== self::EXPECT,
            'replay' => $policy['replay'],
            'revoked' => $policy['revoked'] !== [],
            'unsigned' => $policy['unsigned'],
            (string) $version => $version !== null,
        ]));
    }
}

function bytes(string $text): string
{
    $bytes = base64_decode($text, true);
    demand($bytes !== false && base64_encode($bytes) === $text, 'a token is not padded base64');
    return $bytes;
}

function typed(array $members, string $name, string $type): mixed
{
    demand(get_debug_type($members[$name] ?? null) === $type, "$name is missing or of another type");
    return $members[$name];
}

function items(array $members, string $name, string $type): array
{
    $items = typed($members, $name, 'array');
    $others = array_filter($items, fn ($item) => get_debug_type($item) !== $type);
    demand(array_is_list($items) && $others === [], "an item of $name is of another type");
    return $items;
}

/** Refuses unknown names, since one could be a requirement that is not checked. */
function demandKnown(array $members, array $names): void
{
    demand(array_diff(array_keys($members), $names) === [], 'a member is unknown');
}

function demand(bool $holds, string $message): void
{
    $holds || throw new Unusable($message);
}
