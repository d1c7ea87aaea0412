// Speaks the line protocol on standard input and output. Started by assay-external.

import { Session } from './decryptor/protocol.mjs';
import { answerLines } from './frame.mjs';

const NO_STREAM = 2; // exit code if input cannot be read or answers cannot be written

for (const stream of [process.stdin, process.stdout]) stream.on('error', () => process.exit(NO_STREAM));

const session = new Session();
await answerLines((line) => session.answer(line));
