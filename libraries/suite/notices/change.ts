import type { Phases, ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { JsonStep } from "./json-steps.ts";

export const changeKinds = [
  "status",
  "emptyBody",
  "cutBody",
  "mediaType",
  "headerMissing",
  "headerValue",
  "slow",
  "emptyList",
  "shorterList",
  "itemTwice",
  "missing",
  "value",
  "type",
  "null",
  "form",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One thing that is wrong with a response. */
export interface Change {
  /** The same in every response of this form: `missing:/items/0/id`. */
  key: string;
  kind: ChangeKind;
  /** JSON pointer (RFC 6901) into the body. */
  pointer?: string;
  header?: string;
  /** For a list of several: "an empty list", "id missing". */
  phrase: string;
}

/** An assertion that may notice a change. */
export interface Proposal {
  /** As the test stores it; a target may be a variable. */
  assertion: Assertion;
  /** The same with its variables filled. */
  filled: Assertion;
}

/** A change with the response that has it. */
export interface SpoiledResponse extends Change {
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
