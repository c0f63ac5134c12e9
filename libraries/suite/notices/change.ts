import type { Phases, ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { ResponseChange } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { JsonStep } from "./json-steps.ts";

/** An assertion that may notice a change. */
export interface Proposal {
  /** As the test stores it; a target may be a variable. */
  assertion: Assertion;
  /** The same with its variables filled. */
  filled: Assertion;
}

/** A change with the response that has it. */
export interface SpoiledResponse extends ResponseChange {
  /** Lower comes first. */
  rank: number;
  spoil(): { response: ReceivedResponse; phases: Phases };
  /** What differs here differs between good responses too, so no test has to notice it. */
  varies: boolean;
  /** Best first. */
  proposals: Proposal[];
}

export const propose = (...assertions: Assertion[]): Proposal[] =>
  assertions.map((assertion) => ({ assertion, filled: assertion }));

/** A place in a JSON body. */
export type Steps = readonly JsonStep[];
