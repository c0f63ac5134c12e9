import type { Phases, ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { ChangeKind, ResponseChange } from "#contracts/test-executioner/notices.ts";
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

/** Lower comes first; each level of depth counts as much as all kinds. */
const ranks: Partial<Record<ChangeKind, number>> = {
  emptyList: 2,
  ...{ missing: 5, value: 6, type: 7, null: 8, itemTwice: 8, form: 9, shorterList: 9 },
};
const rankOfDepth = 10;

/** Of a change within a body. */
export const rankOf = (kind: ChangeKind, depth: number) => ranks[kind]! + depth * rankOfDepth;
