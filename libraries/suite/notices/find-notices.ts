import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { MissedChange, ResponseChange } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { parseJson, UnreadableJson } from "../../json/parse-json.ts";
import type { Evaluators } from "../../judging/judge-response.ts";
import { type JudgedOperation, JudgedResponse } from "../../judging/judged-response.ts";
import { isJson, parseMediaType } from "../../judging/media-type.ts";
import { findResponseSchema } from "../../judging/schema/response-schema.ts";
import type { SpoiledResponse } from "./change.ts";
import { DocumentedPlace } from "./documented-place.ts";
import { EarlierBodies } from "./earlier-bodies.ts";
import type { SentValue } from "./json-body.ts";
import { JudgedChange, type Outcome, type Rules } from "./judged-change.ts";
import type { Recorded } from "./spoil-body.ts";
import { spoilMembers } from "./spoil-members.ts";
import { spoilResponse } from "./spoil-response.ts";

export interface NoticesInput {
  /** What a passed execution sent and received, and the test's assertions, their variables filled. */
  recorded: Pick<
    JudgeInput,
    | "request"
    | "response"
    | "phases"
    | "receivedAt"
    | "assertions"
    | "checks"
    | "maximumResponseMilliseconds"
    | "authorized"
  >;
  operation: JudgedOperation | undefined;
  /** Earlier good responses of the same test, newest first. */
  earlier: readonly ReceivedResponse[];
  /** Values that the test itself sends and may expect to come back. */
  sent: readonly SentValue[];
}

export interface Notices {
  noticed: ResponseChange[];
  /** Each with an assertion that the recorded response passes and the changed one fails, if one was found. */
  misses: MissedChange[];
  /** Changes that were not tried because there are too many, or it took too long. */
  leftOut: number;
  /** Assertions and checks that the stored response doesn't pass, such as those of a secret that is no longer in it. */
  setAside: number;
}

export const maxChanges = 60;

export interface NoticeOptions extends Evaluators {
  /** Whether the time for it is over: what has not been tried by then is left out. */
  isOver?(): boolean;
}

/**
 * Spoils a recorded response in many ways and judges each, without a request. Every change that was tried is among
 * `noticed` or `misses`, except a value that differs between good responses and that the test rightly ignores.
 * @returns undefined if none of the assertions and checks can judge the stored response
 */
export function findNotices(
  input: NoticesInput,
  { isOver = () => false, ...evaluators }: NoticeOptions,
): Notices | undefined {
  const { operation, recorded } = input;
  const open = (changes: Partial<Recorded>) => new JudgedChange({ ...recorded, ...changes }, operation, evaluators);
  const first = open({});
  const isUsable = (outcome: Outcome) => outcome === "passed" || outcome === "skipped";
  const rules = {
    assertions: recorded.assertions.filter((one) => isUsable(first.judge(one))),
    checks: recorded.checks.filter((name) => isUsable(first.judgeCheck(name))),
  };
  const count = ({ assertions, checks }: Rules) => assertions.length + checks.length;
  const setAside = count(recorded) - count(rules);
  if (count(rules) === 0 && setAside > 0) return undefined;
  if (!first.passes(rules)) return undefined;

  const passedByRecorded = new Map<string, boolean>();
  function passes(filled: Assertion): boolean {
    const key = JSON.stringify(filled);
    const known = passedByRecorded.get(key) ?? first.judge(filled) === "passed";
    passedByRecorded.set(key, known);
    return known;
  }
  const spoiled = listSpoiled(input);
  const found: Notices = { noticed: [], misses: [], leftOut: Math.max(0, spoiled.length - maxChanges), setAside };
  for (const { rank: _, spoil, varies, proposals, ...change } of spoiled.slice(0, maxChanges)) {
    if (isOver()) {
      found.leftOut += 1;
      continue;
    }
    const changed = open(spoil());
    if (!changed.passes(rules)) found.noticed.push(change);
    else if (!varies) {
      const proposal = proposals.find(({ filled }) => passes(filled) && changed.judge(filled) === "failed");
      found.misses.push({ ...change, ...(proposal ? { assertion: proposal.assertion } : {}) });
    }
  }
  return found;
}

/** The most important first. */
export function listSpoiled({ recorded, operation, earlier, sent }: NoticesInput): SpoiledResponse[] {
  const { response, phases, assertions } = recorded;
  const json = readJson(response);
  const documented = findDocumented(response, operation);
  const { isDescribed } = documented;
  const given = { recorded: { response, phases }, operation, assertions, json, isDescribed, earlier };
  const members =
    json === undefined
      ? []
      : spoilMembers({
          recorded: { response, phases },
          value: json,
          documented,
          earlier: new EarlierBodies(
            json,
            earlier.map(readJson).filter((one) => one !== undefined),
          ),
          sent,
        });
  return [...spoilResponse(given), ...members].sort((one, other) => one.rank - other.rank);
}

function readJson({ headers, body }: ReceivedResponse): Json | undefined {
  const [, contentType = "application/json"] = headers.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const type = parseMediaType(contentType);
  if (body === null || !type || !isJson(type)) return undefined;
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

function findDocumented(response: ReceivedResponse, operation: JudgedOperation | undefined): DocumentedPlace {
  const source = { find: (reference: string) => operation?.components[reference] };
  const found = findResponseSchema(new JudgedResponse({ response, authorized: false }, operation));
  const isOfJson = "placed" in found && found.form === "json";
  return new DocumentedPlace(isOfJson ? found.placed.schema : undefined, source);
}
