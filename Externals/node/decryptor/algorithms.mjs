// AlgorithmIdentifiers (rule 5.10).

import { NULL, SEQUENCE, check, children, identifier, oid } from '../readers/der.mjs';

const SHA256 = oid('2.16.840.1.101.3.4.2.1');

export const ECDSA_WITH_SHA256 = oid('1.2.840.10045.4.3.2');
export const ECDSA_WITH_SHA384 = oid('1.2.840.10045.4.3.3');
export const RSA_ENCRYPTION = oid('1.2.840.113549.1.1.1');
export const SHA256_WITH_RSA = oid('1.2.840.113549.1.1.11');
export const SHA384_WITH_RSA = oid('1.2.840.113549.1.1.12');

/** The algorithms that a SignerInfo may sign with, by the token's version. */
const SIGNATURES = { EC_v1: [ECDSA_WITH_SHA256], RSA_v1: [RSA_ENCRYPTION, SHA256_WITH_RSA] };

/** The name as hexadecimal digits, and the parameters (Element), which may be undefined. */
export function readAlgorithm(element) {
  return readAlgorithmContents(children(element, SEQUENCE));
}

/** The same of the values in an AlgorithmIdentifier. */
export function readAlgorithmContents(values) {
  check(values.length === 1 || values.length === 2, 'no AlgorithmIdentifier');
  return { name: identifier(values[0]), parameters: values[1] };
}

/** Whether the parameters are NULL or absent. */
export function hasNoParameters({ parameters }) {
  return parameters === undefined || parameters.tag === NULL;
}

export function checkDigest(algorithm) {
  check(algorithm.name === SHA256 && hasNoParameters(algorithm), 'another digest than SHA-256');
}

/** Checks the algorithm of a SignerInfo's signature. */
export function checkSignature(algorithm, version) {
  check(SIGNATURES[version].includes(algorithm.name), 'another signature algorithm');
  const isRight = version === 'EC_v1' ? algorithm.parameters === undefined : hasNoParameters(algorithm);
  check(isRight, 'parameters of a signature algorithm');
}
