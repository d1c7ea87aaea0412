// The decryptor behind the line protocol: whatever comes in, one line goes out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount } from '../decryptor/payload.mjs';
import { Session } from '../decryptor/protocol.mjs';
import { HELLO, TOKEN, newCertificate, newKey, talk } from './support.mjs';

const key = newKey();
const MALFORMED = { id: TOKEN.id, accepted: false, code: 'malformedJSON', stage: 2 };

test('a hello that cannot be used may be followed by another', () => {
  const changes = [
    { hello: 2 }, { hello: null }, { windowSeconds: -1 }, { windowSeconds: '300' }, { windowSeconds: 1.5 },
    { windowSeconds: undefined }, { keys: null }, { keys: [1] }, { keys: [{}] },
    { keys: [{ privateKeyPem: 'x' }] }, { rootsPem: ['x'] }, { rootsPem: [1] },
    { colour: 'blue' }, { rootsPem: ['-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'] },
  ];
  const lines = [...changes.map((change) => ({ ...HELLO, ...change })), '', '{', '[]', '{"hello":1.0}'];
  const answers = talk(...lines, HELLO, HELLO);
  assert.equal(answers.length, lines.length + 2);
  assert.ok(answers.every((answer) => answer.hello === 1));
  assert.deepEqual(answers.map((answer) => 'error' in answer), [...lines.map(() => true), false, true]);
});

test('keys that are refused', () => {
  const certificatePem = newCertificate(key.privateKeyPem);
  const marked = (value) => newCertificate(key.privateKeyPem, [`1.2.840.113635.100.6.32=ASN1:${value}`]);
  const marker = marked(`UTF8String:${'00'.repeat(32)}`);
  const refused = [
    [{ ...key, merchantId: null }], [{ ...key, merchantId: '' }], [key, { ...key, merchantId: 'another' }],
    [{ ...newKey(), certificatePem }], [{ ...key, merchantId: null, certificatePem }],
    [{ ...key, certificatePem: marker }], [{ ...key, certificatePem: marked('UTF8String:00') }],
    [{ ...key, certificatePem: marked(`IA5String:${'00'.repeat(32)}`) }],
    [{ ...key, privateKeyPem: key.privateKeyPem + key.privateKeyPem }], [{ ...key, colour: null }],
  ];
  for (const keys of refused) assert.deepEqual(Object.keys(talk({ ...HELLO, keys })[0]), ['hello', 'error']);
  const certified = { ...key, merchantId: null, certificatePem: marker };
  const accepted = [[key, key], [{ ...key, certificatePem }], [certified], [{ ...newKey('rsa'), merchantId: null }]];
  for (const keys of accepted) assert.ok('supports' in talk({ ...HELLO, keys })[0]);
});

test('a line that cannot be used is an error with its id', () => {
  const changes = [
    { token: null }, { token: 1 }, { token: 'A' }, { token: 'AA==\n' }, { at: null }, { at: 'now' },
    { at: '2026-02-29T00:00:00Z' }, { at: '2026-03-01T12:00:00+00:00' }, { prelude: [1] }, { prelude: 'AA==' },
    { prelude: ['A'] }, { policy: [] }, { x: null },
    { policy: { colour: 'blue' } }, { policy: { unsigned: 1 } }, { policy: { replay: 'yes' } },
    { policy: { envelope: 'letter' } }, { policy: { envelope: 'constructor' } },
    { policy: { revoked: ['aa'] } }, { policy: { revoked: ['zz'.repeat(32)] } },
    { policy: { expect: { amount: '1' } } }, { policy: { expect: { amount: 1e30 } } },
    { policy: { expect: { amount: 1.5 } } },
    { policy: { expect: { applicationData: 'aa' } } }, { policy: { expect: { x: null } } }, { policy: { expect: 1 } },
  ];
  const [, ...answers] = talk(HELLO, ...changes.map((change) => ({ ...TOKEN, ...change })));
  changes.forEach((change, index) => {
    const { id, ...rest } = answers[index];
    assert.deepEqual([id, Object.keys(rest)], [TOKEN.id, ['error']], JSON.stringify(change));
  });
});

test('a line without an id is an error without one', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`m${index}`, 1])));
  const lines = [
    '', 'null', '{', '\0', '{}', '{"id":1}', '{"id":"a","id":"b"}', '{"id":"\\ud800"}', '['.repeat(100_000),
    many,
  ];
  const [, ...answers] = talk(HELLO, ...lines);
  assert.deepEqual(answers.map((answer) => [answer.id, 'error' in answer]), lines.map(() => [null, true]));
  assert.deepEqual(Object.keys(talk(TOKEN)[0]), ['id', 'error']);
});

test('lines of 4 MiB are read, longer ones are skipped', () => {
  const spaces = ' '.repeat(4 << 20);
  const line = JSON.stringify(TOKEN);
  const longest = line + spaces.slice(Buffer.byteLength(line));
  const [, first, second, third] = talk(HELLO, longest, `${longest} `, TOKEN);
  assert.deepEqual([first, third], [MALFORMED, MALFORMED]);
  assert.deepEqual(Object.keys(second), ['id', 'error']);
});

test('null counts as absent', () => {
  const policy = { envelope: null, unsigned: null, expect: null, replay: null, revoked: null };
  const expect = { currency: null, amount: null, applicationData: null };
  const changes = [{ policy }, { policy: null, prelude: null }, { policy: { expect } }];
  const lines = changes.map((change) => ({ ...TOKEN, ...change }));
  assert.deepEqual(talk(HELLO, ...lines).slice(1), lines.map(() => MALFORMED));
});

test('replay detection needs a window', () => {
  const line = { ...TOKEN, policy: { replay: true } };
  assert.ok('error' in talk({ ...HELLO, windowSeconds: null }, line)[1]);
  assert.deepEqual(talk(HELLO, line)[1], MALFORMED);
});

test('noise is answered line by line', () => {
  const noise = Buffer.from('{}[]":,\\x0\0\xff\xc3 ', 'latin1');
  const random = (bound) => Math.floor(Math.random() * bound);
  const session = new Session();
  session.answer(Buffer.from(JSON.stringify({ ...HELLO, keys: [key] })));
  const line = Buffer.from(JSON.stringify({ ...TOKEN, policy: { expect: { amount: 1 } }, prelude: [''] }));
  for (let count = 0; count < 20_000; count += 1) {
    const changed = Buffer.from(line);
    for (let left = 1 + random(3); left > 0; left -= 1) changed[random(changed.length)] = noise[random(noise.length)];
    const answer = session.answer(changed);
    assert.ok('error' in answer || answer.accepted === false, changed.toString('latin1'));
  }
});

test('a bug is no answer', () => {
  assert.throws(() => new Session().answer(undefined), TypeError);
});

test('amounts', () => {
  const right = {
    0: 0, '0.0': 0, 12: 12, '1.50e2': 150, '1.5E+01': 15, '1e011': 1e11, '0e12': 0, '0.000000000001e12': 1,
  };
  for (const [text, value] of Object.entries(right)) assert.equal(readAmount(text), value, text);
  assert.equal(readAmount('999999999999'), 999_999_999_999);
  assert.equal(readAmount(`1.${'0'.repeat(60_000)}`), 1);
  const wrong = ['-0', '-1', '1e-0', '1.5', '0.5', '1.55e1', '1e12', '10e11', '1000000000000', '0e13', '1e99999999999'];
  for (const text of wrong) assert.equal(readAmount(text), null, text);
});
