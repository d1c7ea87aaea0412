// Runs a file of `assay corpus export` (Corpus/README.md, "JSON Lines") against a decryptor: node load.mjs FILE

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The header, and the vectors as objects; binary members stay in base64 or hexadecimal. */
function load(path) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf("\n") + 1;
  const header = JSON.parse(bytes.subarray(0, end));
  const sha256 = createHash("sha256").update(bytes.subarray(end)).digest("hex");
  if (header.schema !== "assay.lines/1" || sha256 !== header.sha256) {
    throw new Error("not a file of assay.lines/1, or damaged");
  }
  const lines = bytes.subarray(end).toString().split("\n").filter((line) => line);
  return { header, vectors: lines.map((line) => JSON.parse(line)) };
}

/** Yours: the plaintext, or null for a refusal. Key (PKCS #8) and roots are DER; this one refuses everything. */
function decrypt(token, privateKey, merchantId, roots, at, windowSeconds) {
  return null;
}

const decode = (text) => Buffer.from(text, "base64");

function isWrong(vector) {
  const plaintext = decrypt(decode(vector.request), decode(vector.privateKey), vector.merchantId,
    vector.roots.map(decode), vector.at, vector.windowSeconds);
  if (vector.result === "valid") return !plaintext?.equals(decode(vector.plaintext));
  return vector.result === "invalid" && plaintext !== null;
}

const { header, vectors } = load(process.argv[2]);
const wrong = vectors.filter(isWrong);
for (const vector of wrong) console.error(`${vector.severity} ${vector.id}: ${vector.reason}`);
console.log(`${header.suite} of corpus ${header.version}: ${vectors.length} vectors, ${wrong.length} wrong`);
