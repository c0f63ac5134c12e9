import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { ChangeKind } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { findDocumentedResponse } from "../../judging/documented-response.ts";
import type { JudgedOperation } from "../../judging/judged-response.ts";
import { parseMediaType } from "../../judging/media-type.ts";
import { isFraming } from "../../openapi/header-names.ts";
import { type Proposal, propose, type SpoiledResponse } from "./change.ts";
import { assertAt, proposeDocumented, proposeType } from "./member-proposals.ts";
import { type Recorded, withBody } from "./spoil-body.ts";
import { isVarying } from "./value-form.ts";

export interface ResponseToSpoil {
  recorded: Recorded;
  operation: JudgedOperation | undefined;
  assertions: readonly Assertion[];
  /** The body as JSON, if it is. */
  json: Json | undefined;
  /** Whether the document describes it. */
  isDescribed: boolean;
  /** Earlier good responses of the same test. */
  earlier: readonly ReceivedResponse[];
}

const ranks: Partial<Record<ChangeKind, number>> = {
  ...{ status: 0, emptyBody: 1, mediaType: 3, headerMissing: 4, slow: 6, cutBody: 9, headerValue: 9 },
};
const maxHeaders = 8;
/** Of a text's end, enough to tell whether it is complete. */
const endLength = 20;

/** The response with another status, body, media type, header or time. */
export function spoilResponse(given: ResponseToSpoil): SpoiledResponse[] {
  return [
    ...spoilStatus(given),
    ...spoilBody(given),
    ...spoilMediaType(given),
    ...spoilHeaders(given),
    spoilTime(given),
  ];
}

type Parts = Pick<SpoiledResponse, "kind" | "phrase" | "spoil" | "proposals"> & { of?: string; header?: string };

function toSpoiled({ of = "", ...parts }: Parts, varies = false): SpoiledResponse {
  return { ...parts, key: of === "" ? parts.kind : `${parts.kind}:${of}`, rank: ranks[parts.kind]!, varies };
}

function withResponse({ response, phases }: Recorded, changes: Partial<ReceivedResponse>): Recorded {
  return { response: { ...response, ...changes }, phases };
}

function spoilStatus({ recorded, operation }: ResponseToSpoil): SpoiledResponse[] {
  const { status } = recorded.response;
  const documented = (operation?.operation.responses ?? []).map((one) => Number(one.status));
  const successes = [...documented.filter((one) => one >= 200 && one <= 299), 200, 202];
  const other = successes.find((one) => one !== status)!;
  return [500, status === 404 ? 403 : 404, other]
    .filter((one) => one !== status)
    .map((one) =>
      toSpoiled({
        ...{ kind: "status", of: String(one), phrase: `status ${one} in place of ${status}` },
        proposals: propose({ source: "statusCode", comparison: "equals", target: status }),
        spoil: () => withResponse(recorded, { status: one, statusText: "" }),
      }),
    );
}

function spoilBody({ recorded, json, isDescribed, earlier }: ResponseToSpoil): SpoiledResponse[] {
  const { body, bodyBytes } = recorded.response;
  if (bodyBytes === 0) return [];
  const type = [
    ...proposeDocumented(isDescribed),
    ...(json === undefined ? [] : proposeType([], json, false).slice(0, 1)),
  ];
  const empty = toSpoiled({
    ...{ kind: "emptyBody", phrase: "an empty body" },
    proposals: [...type, ...propose({ source: "body", comparison: "exists" })],
    spoil: () => withBody(recorded, ""),
  });
  const half = [...(body ?? "").slice(0, Math.floor((body ?? "").length / 2))].join("");
  if (body === null || half === "") return [empty];
  const end = [...body].slice(-endLength).join("");
  const hasSteadyEnd = earlier.every((one) => one.body?.endsWith(end));
  const cut = toSpoiled({
    ...{ kind: "cutBody", phrase: "a body cut in the middle" },
    proposals: [
      ...type,
      ...(json === undefined ? propose({ source: "xPath", property: "/*", comparison: "exists" }) : []),
      ...(json === undefined ? [] : propose(assertAt([], "equals", json))),
      ...(hasSteadyEnd ? propose({ source: "body", comparison: "endsWith", target: end }) : []),
      ...propose({ source: "bodySize", comparison: "equals", target: bodyBytes }),
    ],
    spoil: () => withBody(recorded, half),
  });
  return [empty, cut];
}

const contentType = "content-type";

function spoilMediaType({ recorded }: ResponseToSpoil): SpoiledResponse[] {
  const { headers } = recorded.response;
  const [, value] = headers.find(([name]) => name.toLowerCase() === contentType) ?? [];
  const parsed = value === undefined ? undefined : parseMediaType(value);
  if (value === undefined || !parsed) return [];
  const essence = value.split(";", 1)[0]!.trim();
  const other = parsed.subtype === "html" ? "text/plain" : "text/html";
  return [
    toSpoiled({
      ...{ kind: "mediaType", phrase: `${other} in place of ${essence}` },
      proposals: propose({ source: "header", property: "Content-Type", comparison: "startsWith", target: essence }),
      spoil: () => withResponse(recorded, { headers: setHeader(headers, contentType, other) }),
    }),
  ];
}

type Headers = ReceivedResponse["headers"];

/** Undefined removes it. */
function setHeader(headers: Headers, key: string, value: string | undefined): Headers {
  const others = headers.filter(([name]) => name.toLowerCase() !== key);
  return value === undefined ? others : [...others, [key, value]];
}

/** The documented headers, and those of the test's assertions, that came. */
function spoilHeaders({ recorded, operation, assertions, earlier }: ResponseToSpoil): SpoiledResponse[] {
  const { headers, status } = recorded.response;
  const documented = operation && findDocumentedResponse(operation.operation.responses, status);
  const asserted = assertions.flatMap(({ source, property }) => (source === "header" && property ? [property] : []));
  const named = new Set([...asserted, ...(documented?.headers.map(({ name }) => name) ?? [])].map(toKey));
  const findIn = (all: Headers, key: string) =>
    all.flatMap(([name, value]) => (toKey(name) === key ? [value] : [])).join(", ");
  const came = [...new Set(headers.map(([name]) => toKey(name)))];
  const keys = came.filter((key) => named.has(key) && key !== contentType && !isFraming(key)).slice(0, maxHeaders);
  return keys.flatMap((key) => {
    const name = headers.find(([one]) => toKey(one) === key)![0];
    const value = findIn(headers, key);
    const before = earlier.map((one) => findIn(one.headers, key));
    const lacked = earlier.some((one) => !one.headers.some(([other]) => toKey(other) === key));
    const spoil = (to: string | undefined) => () => withResponse(recorded, { headers: setHeader(headers, key, to) });
    const missing = toSpoiled(
      {
        ...{ kind: "headerMissing", of: key, header: name, phrase: `header ${name} missing`, spoil: spoil(undefined) },
        proposals: propose({ source: "header", property: name, comparison: "exists" }),
      },
      lacked,
    );
    const other = toSpoiled(
      {
        ...{ kind: "headerValue", of: key, header: name, phrase: `another value of header ${name}` },
        proposals: proposeHeader(name, value),
        spoil: spoil("another"),
      },
      isVarying(value, name) || before.some((one) => one !== value),
    );
    return value === "another" ? [missing] : [missing, other];
  });
}

const toKey = (name: string) => name.toLowerCase();
const maxHeaderLength = 500;

function proposeHeader(property: string, target: string): Proposal[] {
  return target.length > maxHeaderLength ? [] : propose({ source: "header", property, comparison: "equals", target });
}

const minSlowMilliseconds = 30_000;
/** A response may take this many times as long as the slowest known one. */
const tolerance = 5;

function spoilTime({ recorded }: ResponseToSpoil): SpoiledResponse {
  const { response, phases } = recorded;
  const target = Math.max(1_000, Math.ceil((phases.total * tolerance) / 1_000) * 1_000);
  const slow = Math.max(minSlowMilliseconds, 2 * target);
  return toSpoiled({
    ...{ kind: "slow", phrase: `a response after ${slow / 1_000} s` },
    proposals: propose({ source: "responseTime", comparison: "lessThan", target }),
    spoil: () => ({ response, phases: { ...phases, wait: phases.wait + slow - phases.total, total: slow } }),
  });
}
