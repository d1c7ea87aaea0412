// The frame: keys, lines, refusals, errors and crashes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { MerchantKey } from '../frame.mjs';
import { HELLO, TOKEN, frame, newCertificate, newKey } from './support.mjs';

const [first, second, rsa] = [newKey(), newKey(), newKey('rsa')];
const WITH_KEYS = { ...HELLO, keys: [first, second, rsa] };
const DIGITS = '0123456789abcdef'.repeat(4);
const ACCEPT = '() => Buffer.from("plain")';

function tokenFor(key, version) {
  const { publicKeyHash } = new MerchantKey(key);
  return Buffer.from(JSON.stringify({ version, header: { publicKeyHash } })).toString('base64');
}

test('a decryptor answers', () => {
  const { answers, status } = frame(ACCEPT, [WITH_KEYS, TOKEN]);
  assert.deepEqual(answers, [
    { hello: 1, name: 'mine', version: '1', supports: ['EC_v1'] },
    { id: TOKEN.id, accepted: true, plaintext: Buffer.from('plain').toString('base64') },
  ]);
  assert.equal(status, 0);
});

test('a request is complete', () => {
  const all = '(token, key, request) => Buffer.from(JSON.stringify({ ...request, keys: request.keys.length }))';
  const hello = { ...WITH_KEYS, rootsPem: ['root'] };
  const prelude = ['AAAA'];
  const line = { ...TOKEN, prelude, policy: { expect: null, replay: true } };
  const [, bare, full] = frame(all, [hello, TOKEN, line], ['replay']).answers;
  const expect = { currency: null, amount: null, applicationData: null };
  const policy = { envelope: 'apple', unsigned: false, expect, replay: false, revoked: [] };
  const at = { at: '2026-03-01T12:00:00.000Z', atText: TOKEN.at };
  const read = ({ plaintext }) => JSON.parse(Buffer.from(plaintext, 'base64'));
  assert.deepEqual(read(bare), { keys: 3, roots: ['root'], window: 300, ...at, policy, prelude: [] });
  assert.deepEqual(read(full).policy, { ...policy, replay: true });
  assert.deepEqual(Buffer.from(read(full).prelude[0]), Buffer.alloc(3));
});

test('a token names its key', () => {
  const hash = '(token, key) => Buffer.from(key.publicKeyHash, "base64")';
  const unknown = newKey();
  const cases = [
    [tokenFor(second, 'EC_v1'), second], [tokenFor(first, 'EC_v1'), first], [tokenFor(rsa, 'RSA_v1'), rsa],
    [tokenFor(unknown, 'EC_v1'), first], [tokenFor(unknown, 'RSA_v1'), rsa], [tokenFor(rsa, 'EC_v1'), first],
    [tokenFor(second, 'EC_v2'), first], ['', first], [Buffer.from('null').toString('base64'), first],
  ];
  const lines = cases.map(([token]) => ({ ...TOKEN, token }));
  const [, ...answers] = frame(hash, [WITH_KEYS, ...lines], ['EC_v1', 'RSA_v1']).answers;
  const expected = cases.map(([, key]) => new MerchantKey(key).publicKeyHash);
  assert.deepEqual(answers.map(({ plaintext }) => plaintext), expected);
});

test('a refusal has a reason of one line', () => {
  const refuse = (values) => `() => { throw new Refused(...${JSON.stringify(values)}) }`;
  const answerOf = (...values) => frame(refuse(values), [WITH_KEYS, TOKEN]).answers[1];
  const refused = { id: TOKEN.id, accepted: false };
  assert.deepEqual(answerOf('too old'), { ...refused, code: null, reason: 'too old' });
  assert.deepEqual(answerOf('no', 'malformedJSON'), { ...refused, code: 'malformedJSON', reason: 'no' });
  assert.equal(answerOf('a\r\n\tb\u2028c\u0000').reason, 'a b c ');
  assert.equal(answerOf('x'.repeat(300)).reason.length, 200);
  assert.equal(answerOf('𝄞'.repeat(300)).reason, '𝄞'.repeat(200));
  assert.equal(answerOf('\ud834').reason, ' ');
  assert.equal(frame('async () => { throw new Refused("late") }', [WITH_KEYS, TOKEN]).answers[1].reason, 'late');
});

test('any other error of the function decides nothing, and the next line is answered', () => {
  const failures = {
    '() => { throw new Error("planted") }': /^Error: planted$/,
    'async () => { throw new TypeError("planted\\nhere") }': /^TypeError: planted here$/,
    '() => { throw "planted" }': /^thrown: planted$/, '() => undefined': /^TypeError: /, '() => "plain"': /^TypeError: /,
    '() => { throw new Error("A".repeat(50)) }': /^Error: …$/,
  };
  for (const [decrypt, error] of Object.entries(failures)) {
    const { answers, status } = frame(decrypt, [WITH_KEYS, TOKEN, TOKEN]);
    assert.equal(answers.length, 3, decrypt);
    assert.deepEqual(Object.keys(answers[2]), ['id', 'error'], decrypt);
    assert.match(answers[2].error, error);
    assert.equal(status, 0, decrypt);
  }
});

test('a token of a version that is not listed is unsupported', () => {
  const line = { ...TOKEN, token: tokenFor(rsa, 'RSA_v1') };
  const [, answer] = frame('() => Buffer.alloc(0)', [WITH_KEYS, line]).answers;
  assert.deepEqual(answer, { id: TOKEN.id, unsupported: true });
});

test('what nobody waits for is a crash', () => {
  const crashes = [
    '() => new Promise(() => setTimeout(() => { throw new Error("planted") }))',
    '() => { Promise.reject(new Error("planted")); return new Promise(() => setTimeout(() => {}, 10_000)) }',
  ];
  for (const decrypt of crashes) {
    const { answers, status, errors } = frame(decrypt, [WITH_KEYS, TOKEN, TOKEN]);
    assert.equal(answers.length, 1, decrypt);
    assert.notEqual(status, 0, decrypt);
    assert.match(errors, /Error/, decrypt);
  }
});

test('a line is answered before the next is read', () => {
  const slow = `(() => {
    let calls = 0;
    return async () => {
      const call = calls++;
      await new Promise((done) => setTimeout(done, 20 - 10 * call));
      return Buffer.from([call, calls]);
    };
  })()`;
  const [, ...answers] = frame(slow, [WITH_KEYS, TOKEN, TOKEN, TOKEN]).answers;
  assert.deepEqual(answers.map(({ plaintext }) => [...Buffer.from(plaintext, 'base64')]), [[0, 1], [1, 2], [2, 3]]);
});

test('an open timer does not keep the program', () => {
  assert.equal(frame('() => { setInterval(() => {}, 1000); return Buffer.alloc(0) }', [WITH_KEYS, TOKEN]).status, 0);
});

test('a hello that cannot be used may be followed by another', () => {
  const unusable = [
    '', '[]', 'null', '{', { hello: 2 }, { ...HELLO, hello: '1' }, { ...HELLO, windowSeconds: undefined },
  ];
  const keys = [null, [null], [{}], [{ privateKeyPem: 'x' }], [{ ...first, certificatePem: 'x' }]];
  unusable.push({ ...HELLO, windowSeconds: -1 }, ...keys.map((value) => ({ ...HELLO, keys: value })));
  const { answers, status } = frame(ACCEPT, [...unusable, WITH_KEYS, HELLO, TOKEN]);
  assert.equal(status, 0);
  for (const answer of answers.slice(0, unusable.length)) assert.deepEqual(Object.keys(answer), ['hello', 'error']);
  const [accepted, again, token] = answers.slice(unusable.length);
  assert.ok('supports' in accepted && 'error' in again && token.accepted);
});

test('a line that cannot be used is an error', () => {
  const wrong = [
    { at: undefined }, { at: 1 }, { at: '2026-02-30T12:00:00Z' }, { at: 'now' }, { token: 'A' }, { token: 1 },
  ];
  wrong.push({ prelude: ['A'] });
  const { answers } = frame(ACCEPT, [WITH_KEYS, ...wrong.map((change) => ({ ...TOKEN, ...change }))]);
  for (const answer of answers.slice(1)) {
    assert.deepEqual([answer.id, Object.keys(answer)], [TOKEN.id, ['id', 'error']]);
  }
  const lines = ['', '{', '[]', '1', 'null', '{}', '{"id":1}', ' '.repeat((4 << 20) + 1)];
  const [, ...errors] = frame(ACCEPT, [WITH_KEYS, ...lines]).answers;
  assert.deepEqual(errors.map((answer) => [answer.id, 'error' in answer]), lines.map(() => [null, true]));
});

test('a line that asks for more than is supported', () => {
  const demands = { envelopes: { envelope: 'auto' }, expect: { expect: { amount: 0 } }, replay: { replay: true } };
  Object.assign(demands, { revoked: { revoked: ['00'] }, unsigned: { unsigned: true } });
  for (const [word, policy] of Object.entries(demands)) {
    const line = { ...TOKEN, policy };
    assert.deepEqual(frame(ACCEPT, [WITH_KEYS, line]).answers[1], { id: TOKEN.id, unsupported: true });
    assert.equal(frame(ACCEPT, [WITH_KEYS, line], [word]).answers[1].accepted, true, word);
  }
});

test('an unsigned token, and no key', () => {
  const unsigned = '() => ({ signed: false, plaintext: new Uint8Array(1) })';
  const expected = { id: TOKEN.id, accepted: true, signed: false, plaintext: 'AA==' };
  assert.deepEqual(frame(unsigned, [WITH_KEYS, TOKEN]).answers[1], expected);
  assert.equal(frame(ACCEPT, [HELLO, TOKEN]).answers[1].accepted, false);
});

test('the forms of a key', () => {
  const key = new MerchantKey(first);
  assert.match(key.pkcs8Pem, /^-----BEGIN PRIVATE KEY-----\n/);
  assert.match(key.sec1Pem, /^-----BEGIN EC PRIVATE KEY-----\n/);
  assert.equal(new MerchantKey({ privateKeyPem: key.sec1Pem }).publicKeyHash, key.publicKeyHash);
  const { version, sec1Pem } = new MerchantKey(rsa);
  assert.deepEqual([key.version, version, sec1Pem], ['EC_v1', 'RSA_v1', null]);
  assert.deepEqual(key.merchantIdHash, createHash('sha256').update('merchant.test').digest());
  assert.equal(new MerchantKey({ privateKeyPem: first.privateKeyPem }).merchantIdHash, null);
});

test('the merchant ID of a certificate', () => {
  for (const critical of ['', 'critical,']) {
    const extension = `1.2.840.113635.100.6.32=${critical}ASN1:UTF8String:${DIGITS.toUpperCase()}`;
    const certificatePem = newCertificate(first.privateKeyPem, [extension]);
    assert.equal(new MerchantKey({ ...first, certificatePem }).merchantIdHash.toString('hex'), DIGITS);
  }
});

test('PKCS #12', () => {
  const certificatePem = newCertificate(first.privateKeyPem);
  for (const certificate of [certificatePem, null]) {
    const input = new MerchantKey({ ...first, certificatePem: certificate }).pkcs12('sécret word');
    const read = spawnSync('openssl', ['pkcs12', '-nodes', '-passin', 'pass:sécret word'], { input }).stdout.toString();
    assert.ok(read.includes(first.privateKeyPem));
    assert.equal(read.includes('BEGIN CERTIFICATE'), certificate !== null);
  }
});
