// The faults of Docs/Verification.md.

import { Refused } from '../frame.mjs';

/** A rule that a request breaks. Only a fault refuses a request: any other error is a bug and ends the program. */
export class Fault extends Refused {
  /** `member` is the path of the member at fault, or null. */
  constructor(code, stage, member = null) {
    super(code, code);
    this.stage = stage;
    this.member = member;
  }
}

/** Calls `read`; what it throws of `type` becomes the fault. */
export function orFault(type, code, stage, read) {
  try {
    return read();
  } catch (error) {
    throw error instanceof type ? new Fault(code, stage) : error;
  }
}
