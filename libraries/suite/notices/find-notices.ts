import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { MissedChange, ResponseChange } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { parseJson, UnreadableJson } from "../../json/parse-json.ts";
import type { Evaluators } from "../../judging/judge-response.ts";
import { type JudgedOperation, JudgedResponse } from "../../judging/judged-response.ts";
import { isJson, type MediaType, parseMediaType } from "../../judging/media-type.ts";
import { findResponseSchema } from "../../judging/schema/response-schema.ts";
import { isXmlType } from "../../openapi/xml/xml-shape.ts";
import { type MarkupDocument, TooDeepMarkup, UnreadableMarkup } from "../../xpath/markup.ts";
import type { SpoiledResponse } from "./change.ts";
import { DocumentedElement } from "./documented-element.ts";
import { DocumentedPlace } from "./documented-place.ts";
import { EarlierBodies } from "./earlier-bodies.ts";
import type { SentValue } from "./json-body.ts";
import { JudgedChange, type Outcome, type Rules } from "./judged-change.ts";
import type { Recorded } from "./spoil-body.ts";
import { spoilMembers } from "./spoil-members.ts";
import { spoilResponse } from "./spoil-response.ts";
import { spoilXml } from "./spoil-xml.ts";

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
  const spoiled = listSpoiled(input, evaluators.markup);
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
export function listSpoiled(
  { recorded, operation, earlier, sent }: NoticesInput,
  markup: Evaluators["markup"],
): SpoiledResponse[] {
  const { response, phases, assertions } = recorded;
  const own = { response, phases };
  const json = readJson(response);
  const xml = json === undefined ? readXml(response, markup) : undefined;
  const documented = findDocumented(response, operation);
  const isDescribed = documented !== undefined;
  const given = { recorded: own, operation, assertions, json, isDescribed, earlier };
  const source = { find: (reference: string) => operation?.components[reference] };
  const members =
    json === undefined
      ? []
      : spoilMembers({
          ...{ recorded: own, value: json, sent },
          documented: new DocumentedPlace(documented, source),
          earlier: new EarlierBodies(json, earlier.map(readJson).filter(isKnown)),
        });
  const elements =
    xml === undefined
      ? []
      : spoilXml({
          ...{ recorded: own, document: xml, sent },
          documented: isDescribed ? new DocumentedElement(documented, source) : undefined,
          earlier: earlier.map((one) => readXml(one, markup)).filter(isKnown),
        });
  return [...spoilResponse(given), ...members, ...elements].sort((one, other) => one.rank - other.rank);
}

const isKnown = <Value>(value: Value | undefined): value is Value => value !== undefined;

function findType({ headers }: ReceivedResponse, unless = ""): MediaType | undefined {
  return parseMediaType(headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? unless);
}

function readJson(response: ReceivedResponse): Json | undefined {
  const type = findType(response, "application/json");
  if (response.body === null || !type || !isJson(type)) return undefined;
  try {
    return parseJson(response.body);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

/** Characters: each change is written and read as a whole. */
const longestXml = 512 * 1024;

function readXml(response: ReceivedResponse, markup: Evaluators["markup"]): MarkupDocument | undefined {
  const type = findType(response);
  const { body } = response;
  if (body === null || body.length > longestXml || !type || !isXmlType(`${type.type}/${type.subtype}`))
    return undefined;
  try {
    return markup.read(body.replace(/^\ufeff/, ""), false);
  } catch (error) {
    if (error instanceof UnreadableMarkup || error instanceof TooDeepMarkup) return undefined;
    throw error;
  }
}

/** The documented schema of the body. */
function findDocumented(response: ReceivedResponse, operation: JudgedOperation | undefined): unknown {
  const found = findResponseSchema(new JudgedResponse({ response, authorized: false }, operation));
  const isJudged = "placed" in found && (found.form === "json" || found.form === "xml");
  return isJudged ? found.placed.schema : undefined;
}
