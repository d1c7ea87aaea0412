// The readers at their bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrapperReader } from '../readers/ber.mjs';
import { Malformed, OBJECT_IDENTIFIER, SEQUENCE, check, integer, oid, readDER } from '../readers/der.mjs';
import { decodeBase64, decodeHex } from '../readers/encodings.mjs';
import { MalformedJSON, readObject } from '../readers/json.mjs';
import { readPEM } from '../readers/pem.mjs';
import { readRFC3339, readTime } from '../readers/times.mjs';
import { hex } from './support.mjs';

const read = (text) => readObject(Buffer.isBuffer(text) ? text : Buffer.from(text));
const value = (text) => read(`{"a":${text}}`).get('a');

function refusesJSON(texts) {
  for (const text of texts) assert.throws(() => read(text), MalformedJSON, JSON.stringify(text.toString('latin1')));
}

test('a document is one object', () => {
  assert.equal(read(' \t\n\r{ } \n').members.length, 0);
  refusesJSON([
    '', ' ', '[]', '""', '{}{}', '{},', '\ufeff{}', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{,}', '{a:1}',
  ]);
  refusesJSON(['{"a" 1}', "{'a':1}", '{"a":1 "b":2}', '{}\u00a0', '{}\f', '{"a":[1,]}', '{"a":[1}', '{"a":]}']);
});

test('words and numbers', () => {
  assert.deepEqual(['true', 'false', 'null'].map(value), [true, false, null]);
  refusesJSON(['{"a":True}', '{"a":tru}', '{"a":nul', '{"a":nulll}', '{"a":NaN}']);
  for (const text of ['0', '-0', '10', '1.50e2', '1E+007', '-0.0e-0']) assert.equal(value(text).text, text);
  for (const text of ['01', '+1', '.5', '1.', '1e', '1e+', '-', '0x1', '1_0', '--1']) refusesJSON([`{"a":${text}}`]);
});

test('escapes', () => {
  assert.equal(value(String.raw`"\"\\\/\b\f\n\r\t\u0000\u00e9\u00E9"`), '"\\/\b\f\n\r\t\0éé');
  assert.equal(value(String.raw`"\ud834\udd1e"`), value('"𝄞"'));
  const wrong = [String.raw`\x`, String.raw`\u12`, String.raw`\u12G4`, String.raw`\ud834`, String.raw`\udd1e`];
  wrong.push(
    String.raw`\ud834\ud834`, String.raw`\ud834x`, String.raw`\ud834\n`, String.raw`\U0041`, '\\', '\n',
    '\x1f',
  );
  refusesJSON(wrong.map((text) => `{"a":"${text}"}`));
  assert.equal(value('"\x7f"'), '\x7f');
});

test('UTF-8', () => {
  const quoted = (bytes) => Buffer.concat([Buffer.from('{"a":"'), hex(bytes), Buffer.from('"}')]);
  for (const bytes of ['c280', 'dfbf', 'e0a080', 'ed9fbf', 'ee8080', 'efbfbf', 'efbbbf', 'f0908080', 'f48fbfbf']) {
    assert.equal(read(quoted(bytes)).get('a'), hex(bytes).toString());
  }
  const wrong = ['80', 'bf', 'c080', 'c1bf', 'c2', 'c27f', 'c2c0', 'e09fbf', 'e08080', 'eda080', 'edbfbf', 'e0a0'];
  wrong.push('ee80c0', 'f08fbfbf', 'f4908080', 'f5808080', 'f0908041', 'ff', 'fe', 'f8888080');
  refusesJSON(wrong.map(quoted));
});

test('nesting ends at 32, arrays included', () => {
  const nested = (levels, open, close) => `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
  read(nested(32, '[', ']'));
  read(nested(32, '{"a":', '}'));
  refusesJSON([nested(33, '[', ']'), nested(33, '{"a":', '}'), `{"a":${'['.repeat(100_000)}`]);
});

test('an object keeps its text and its repeated names', () => {
  const object = read('{"a":{ "b" : 1 },"\\u0061":2}');
  assert.equal(object.get('a').bytes.toString(), '{ "b" : 1 }');
  assert.equal(object.repeatsNames, true);
  assert.equal(object.all('a').length, 2);
  assert.equal(object.get('b'), undefined);
  assert.equal(read('{"__proto__":1}').get('constructor'), undefined);
});

test('base64 and hexadecimal are strict', () => {
  for (const text of ['', 'AA==', 'AAA=', 'AAAA', '+/+/']) assert.equal(decodeBase64(text).toString('base64'), text);
  for (const text of ['A', 'AA', 'AA=', 'AB==', 'AAB=', 'AAAA=', 'AA==AA==', ' AAAA', 'AAAA\n', '-_-_', 'AA=A', '=']) {
    assert.equal(decodeBase64(text), null, text);
  }
  assert.deepEqual(decodeHex('00fFFa'), hex('00fffa'));
  assert.equal(decodeHex('').length, 0);
  for (const text of ['0', '0g', ' 00', '00\n', '0x00', '٠٠']) assert.equal(decodeHex(text), null, text);
});

test('DER: tags and lengths', () => {
  const filled = (length, header) => Buffer.concat([hex(header), Buffer.alloc(length)]);
  const right = [[0, '0400'], [127, '047f'], [128, '048180'], [256, '04820100'], [65_536, '0483010000']];
  for (const [length, header] of right) {
    assert.equal(readDER(filled(length, header)).contents.length, length);
  }
  const wrong = ['', '04', '0401', '040000', '0480', '048101', '04820001', '0484', '04850000000000', '1f0000', '0000'];
  wrong.push('2000', '1000', '1100', '2403040100', '3080', '30800000', '3003040100aa', '30020401', 'bf1f00', '2800');
  for (const bytes of wrong) assert.throws(() => readDER(hex(bytes)), Malformed, bytes);
  assert.throws(() => readDER(filled(127, '04817f')), Malformed);
  assert.throws(() => readDER(filled(255, '048200ff')), Malformed);
  for (const bytes of ['a000', '8000', '4000', '6000', 'c000', 'e000', 'de00', 'a003040100']) readDER(hex(bytes));
});

test('DER: canonical contents', () => {
  const right = [
    '010100', '0101ff', '020100', '02020080', '0202ff7f', '020180', '060100', '06028100', '030100', '03020780',
  ];
  for (const bytes of right) readDER(hex(bytes));
  const wrong = [
    '0100', '010101', '01020000', '0200', '0202007f', '0202ff80', '0600', '060180', '06028000', '0603018000',
  ];
  wrong.push('060181', '0300', '030101', '03020880', '03020740', '050100');
  for (const bytes of wrong) assert.throws(() => readDER(hex(bytes)), Malformed, bytes);
  assert.equal(integer(readDER(hex('0201ff'))), -1n);
  assert.equal(integer(readDER(hex('02020080'))), 128n);
});

test('DER: constructed values nest at most 16 deep', () => {
  const nested = (levels, innermost) => {
    let bytes = hex(innermost);
    for (let level = 0; level < levels; level += 1) bytes = Buffer.from([SEQUENCE, bytes.length, ...bytes]);
    return bytes;
  };
  readDER(nested(16, '0500'));
  readDER(nested(12, '0500'), 5);
  assert.throws(() => readDER(nested(17, '0500')), Malformed);
  assert.throws(() => readDER(nested(16, '3000')), Malformed);
  assert.throws(() => readDER(nested(13, '0500'), 5), Malformed);
});

test('object identifiers', () => {
  assert.equal(oid('1.2.840.113635.100.6.32'), '2a864886f763640620');
  assert.equal(oid('2.5.29.15'), '551d0f');
});

test('wrappers may have any length', () => {
  const tags = (bytes) => {
    const reader = new WrapperReader(hex(bytes));
    const found = reader.wrapper(SEQUENCE, () => reader.wrapper(SEQUENCE, () => reader.elements()));
    check(reader.atEnd(), 'something follows');
    return found.map(({ tag }) => tag);
  };
  const long = '300b 308400000005 060100 0500';
  const right = [
    '3005 3003 060100', '3080 3003 060100 0000', '3080 3080 060100 0000 0000', '308400000005 3003 060100',
    long,
  ];
  for (const bytes of right) assert.equal(tags(bytes)[0], OBJECT_IDENTIFIER, bytes);
  assert.deepEqual(tags('3080 3080 0000 0000'), []);
  const tooFewOrMany = ['', '30', '3080', '3080 3080 060100 0000', '3080 3080 060100 0000 00', '3005 3003 060100 00'];
  const tooLongOrShort = [
    '3005 3004 060100', '3006 3003 060100', '30850000000005 3003 060100', '3005 3080 060100 0000',
  ];
  const other = [
    '3005 3103 060100', '3080 3003 060100 0001', '3080 3080 2480 0000 0000 0000',
    '3080 3080 06810100 0000 0000',
  ];
  const wrong = [...tooFewOrMany, ...tooLongOrShort, ...other];
  for (const bytes of wrong) assert.throws(() => tags(bytes), Malformed, bytes);
});

test('times', () => {
  const seconds = (tag, text) => readTime(readDER(Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)])));
  assert.equal(seconds(0x17, '700101000000Z'), 0);
  assert.equal(seconds(0x17, '491231235959Z'), seconds(0x18, '20491231235959Z'));
  assert.equal(seconds(0x17, '500101000000Z'), seconds(0x18, '19500101000000Z'));
  assert.equal(seconds(0x18, '00000229000000Z') + 86_400, seconds(0x18, '00000301000000Z'));
  assert.equal(seconds(0x18, '00991231235959Z') + 1, seconds(0x18, '01000101000000Z'));
  assert.equal(seconds(0x17, '260301120000Z'), readRFC3339('2026-03-01T12:00:00Z'));
  const days = ['260229000000Z', '260431000000Z', '261301000000Z', '260001000000Z', '260100000000Z'];
  const hours = ['260101240000Z', '260101006000Z', '260301120060Z'];
  const forms = [
    '2603011200Z', '260301120000', '260301120000+0000', '20260301120000Z', '260301120000Z\n', '26030112000aZ',
  ];
  for (const text of [...days, ...hours, ...forms]) assert.throws(() => seconds(0x17, text), Malformed, text);
  for (const text of ['20260301120000.0Z', '260301120000Z', '21000229000000Z']) {
    assert.throws(() => seconds(0x18, text), Malformed, text);
  }
  const no = ['2026-02-30T12:00:00Z', '2026-03-01T12:00:00z', '2026-03-01 12:00:00Z', '2026-03-01T24:00:00Z', ''];
  for (const text of no) {
    assert.equal(readRFC3339(text), null, text);
  }
});

test('PEM', () => {
  const block = (label, body = 'AAAA') => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
  assert.deepEqual(readPEM(`text\r\n${block('A').replace(/\n/g, '\r\n')}text`, 'A'), Buffer.alloc(3));
  assert.deepEqual(readPEM(block('B') + block('A'), 'A'), Buffer.alloc(3));
  const unlike = block('A').replace('END A', 'END B');
  for (const text of ['', 'AAAA', block('B'), block('A') + block('A'), block('A', 'A'), block('A', '*'), unlike]) {
    assert.equal(readPEM(text, 'A'), null, text);
  }
});
