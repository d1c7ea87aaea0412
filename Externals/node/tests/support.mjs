// Keys, a program that speaks to a frame, and bytes in hexadecimal.

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const HELLO = { hello: 1, keys: [], rootsPem: [], windowSeconds: 300 };
export const TOKEN = { id: 'é\n', token: '', at: '2026-03-01T12:00:00Z' };

export const hex = (text) => Buffer.from(text.replace(/\s/g, ''), 'hex');

/** A new key as it is in hello. */
export function newKey(type = 'ec') {
  const { privateKey } = generateKeyPairSync(type, { namedCurve: 'P-256', modulusLength: 2048 });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { privateKeyPem, certificatePem: null, merchantId: 'merchant.test' };
}

/** A certificate of the key by `openssl`, which signs it with the key itself. `extensions` are `-addext` options. */
export function newCertificate(privateKeyPem, extensions = []) {
  const options = ['-new', '-x509', '-key', '/dev/stdin', '-subj', '/CN=test', '-days', '1'];
  const added = extensions.flatMap((extension) => ['-addext', extension]);
  const script = 'cat | openssl req "$@"'; // A pipe, because /dev/stdin of a child process of Node.js is a socket.
  return run('sh', ['-c', script, 'sh', ...options, ...added], privateKeyPem).stdout.toString();
}

/** Sends lines (text, or objects) to the decryptor: its answers. */
export function talk(...lines) {
  return answers(run(fileURLToPath(new URL('../assay-external', import.meta.url)), [], inputOf(lines)).stdout);
}

/** Sends lines to a program whose frame has the function `decrypt`, which is given as source text. */
export function frame(decrypt, lines, supports = ['EC_v1']) {
  const program = `
    import { Refused, serve } from ${JSON.stringify(new URL('../frame.mjs', import.meta.url))};
    await serve({ name: 'mine', version: '1', supports: ${JSON.stringify(supports)}, decrypt: ${decrypt} });`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { input: inputOf(lines) });
  return { answers: answers(ended.stdout), status: ended.status, errors: ended.stderr.toString() };
}

function run(command, options, input) {
  const ended = spawnSync(command, options, { input, maxBuffer: Infinity });
  if (ended.error) throw ended.error;
  if (ended.status !== 0) throw new Error(`${command} exited with ${ended.status}: ${ended.stderr}`);
  return ended;
}

function inputOf(lines) {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
}

function answers(output) {
  return output.toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
}
