// The program with which test-frames tests frame.mjs.

import { Refused, serve } from './frame.mjs';

await serve({ name: 'probe', version: '1', supports: ['EC_v1', 'RSA_v1'], decrypt });

async function decrypt(token, key, request) {
  if (token.equals(Buffer.from('throw'))) await fail();
  if (token.equals(Buffer.from('refuse'))) {
    throw new Refused(`first line\nsecond line ${'é'.repeat(300)}`, 'signatureMismatch');
  }
  const { keys, roots, prelude } = request;
  const values = {
    pkcs8: key.pkcs8Pem,
    sec1: key.sec1Pem,
    pkcs12: key.certificatePem && key.pkcs12('secret'),
    merchantIdHash: key.merchantIdHash,
    merchantId: key.merchantId,
    certificate: key.certificatePem,
    at: String(request.at.getTime() / 1000),
    window: String(request.window ?? 'none'),
    counts: `${keys.length} keys, ${roots.length} roots, ${prelude.length} earlier`,
  };
  const encoded = (value) => Buffer.from(value ?? '').toString('base64');
  return Buffer.from(Object.keys(values).map((name) => `${name} ${encoded(values[name])}\n`).join(''));
}

async function fail() {
  await new Promise((resolve) => setTimeout(resolve, 10));
  throw new TypeError(`a bug in ${'A'.repeat(40)}\nof mine`);
}
