import type { Assertion, AssertionSource } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { UnreadableJson } from "../../json/parse-json.ts";
import {
  formatLocation,
  InvalidJsonPath,
  type JsonPath,
  parseJsonPath,
  pointerTo,
  selectNodes,
  TooManyNodes,
} from "../../json-path/json-path.ts";
import { UnreadableMarkup } from "../../xpath/markup.ts";
import { InvalidXPath, parseXPath, selectByXPath, TooManyMarkupNodes } from "../../xpath/xpath.ts";
import { type JudgedResponse, Unjudgeable } from "../judged-response.ts";
import { parseMediaType } from "../media-type.ts";

/**
 * The value of a source. Text sources have no types: a number in them is compared as a number when the target is one.
 */
export type Found =
  | { kind: "value"; value: Json; text: boolean; place: string; pointer?: string; only?: Json }
  | { kind: "missing"; place: string; reason: string };

const subjects: Record<AssertionSource, string> = {
  statusCode: "status code",
  header: "header",
  body: "body",
  jsonPath: "",
  xPath: "",
  schema: "body",
  responseTime: "response time",
  bodySize: "body size",
  bodySha256: "SHA-256 of the body",
  charset: "charset",
  cookie: "cookie",
  certificate: "certificate's days left",
  url: "address",
};

const parsedPaths = new Map<string, JsonPath>();

function pathOf(text: string): JsonPath {
  const known = parsedPaths.get(text);
  if (known) return known;
  try {
    const parsed = parseJsonPath(text);
    if (parsedPaths.size > 1_000) parsedPaths.clear();
    parsedPaths.set(text, parsed);
    return parsed;
  } catch (error) {
    if (error instanceof InvalidJsonPath) throw new Unjudgeable("invalid_assertion", error.message);
    throw error;
  }
}

/** Whether a JSONPath selects at most one location, so that evaluating it is cheap. False for an invalid JSONPath. */
export function isSingularPath(text: string): boolean {
  try {
    return pathOf(text).singular;
  } catch {
    return false;
  }
}

/**
 * Whether a JSONPath visits each value of a document a constant number of times: no descendants, lists of selectors,
 * functions or root queries within a filter, and at most one filter. False for an invalid JSONPath, and for some that
 * would qualify.
 */
export function isLinearPath(text: string): boolean {
  if (/\.\.|[(,]|.\$|\?.*\?/s.test(text)) return false;
  try {
    return pathOf(text) !== undefined;
  } catch {
    return false;
  }
}

/** Prepares a sentence for embedding in another one. */
function asClause(sentence: string): string {
  return sentence.replace(/^The /, "the ").replace(/\.$/, "");
}

/**
 * The selection of a JSONPath: the value for a singular query, otherwise the list of all selected values, which may be
 * empty. `only` is the value when such a list has exactly one.
 */
function findByPath(judged: JudgedResponse, text: string): Found {
  const path = pathOf(text);
  let document: Json;
  try {
    document = judged.json();
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    if (error.reason === "too_deep") throw new Unjudgeable("body_too_deep", error.message);
    return { kind: "missing", place: text, reason: asClause(judged.reasonOf(error)) };
  }
  const nodes = (() => {
    try {
      return selectNodes(path, document);
    } catch (error) {
      if (error instanceof TooManyNodes) throw new Unjudgeable("too_costly", error.message);
      throw error;
    }
  })();
  const [first] = nodes;
  if (!path.singular) {
    const value = nodes.map((node) => node.value);
    return { kind: "value", value, text: false, place: text, ...(nodes.length === 1 ? { only: first?.value } : {}) };
  }
  if (!first) return { kind: "missing", place: text, reason: "there is no such place in the body" };
  const found = { kind: "value" as const, value: first.value, text: false, place: formatLocation(first) };
  // An item of a sequence has no place in the body's text as a JSON value.
  return judged.sequence ? found : { ...found, pointer: pointerTo(first) };
}

/** The selection of an XPath: the text of one node, or the list of the texts of several. */
function findByXPath(judged: JudgedResponse, text: string): Found {
  const place = text;
  try {
    const expression = parseXPath(text);
    if (judged.text() === "") return { kind: "missing", place, reason: "the body is empty" };
    const document = judged.document();
    const selected = selectByXPath(expression, document);
    if (selected.kind === "text") return { kind: "value", value: selected.value, text: true, place };
    const [first, ...others] = selected.values;
    if (first === undefined) {
      const hint = document.hasDefaultNamespace ? "; its elements have a namespace, find them by local-name()" : "";
      return { kind: "missing", place, reason: `there is no such node in the body${hint}` };
    }
    return { kind: "value", value: others.length === 0 ? first : selected.values, text: true, place };
  } catch (error) {
    if (error instanceof UnreadableMarkup) {
      return { kind: "missing", place, reason: `the body is not XML: ${judged.show(error.message)}` };
    }
    if (error instanceof InvalidXPath) throw new Unjudgeable("invalid_assertion", error.message);
    if (error instanceof TooManyMarkupNodes) throw new Unjudgeable("too_costly", error.message);
    throw error;
  }
}

/** @throws Unjudgeable when the source can't be read */
export function findValue(judged: JudgedResponse, assertion: Pick<Assertion, "source" | "property">): Found {
  const { source, property = "" } = assertion;
  const { response } = judged;
  const place = subjects[source];
  const number = (value: number): Found => ({ kind: "value", value, text: false, place });
  switch (source) {
    case "statusCode":
      return number(response.status);
    case "responseTime":
      return number(judged.milliseconds);
    case "bodySize":
      if (response.incomplete) {
        throw new Unjudgeable("body_incomplete", "The body is incomplete, so its whole size is not known.");
      }
      if (response.truncated) {
        throw new Unjudgeable(
          "body_truncated",
          "The body was larger than what may be read, so its whole size is not known.",
        );
      }
      return number(response.bodyBytes);
    case "bodySha256":
      if (response.truncated) {
        throw new Unjudgeable("body_truncated", "The body was larger than what is read, so its SHA-256 is not known.");
      }
      if (response.bodySha256 === undefined) {
        throw new Unjudgeable("hash_not_given", "The SHA-256 of the body is not known.");
      }
      return { kind: "value", value: response.bodySha256, text: true, place };
    case "charset": {
      const charset = parseMediaType(judged.headers("content-type")[0] ?? "")?.parameters.get("charset");
      if (!charset) return { kind: "missing", place, reason: "Content-Type names none" };
      return { kind: "value", value: charset, text: true, place };
    }
    case "certificate":
      if (response.tls) return number(response.tls.daysLeft);
      return { kind: "missing", place, reason: "the response was received without TLS" };
    case "url":
      return { kind: "value", value: response.url, text: true, place };
    case "header": {
      const values = judged.headers(property);
      if (values.length === 0) return { kind: "missing", place: `header ${property}`, reason: "it did not come" };
      return { kind: "value", value: values.join(", "), text: true, place: `header ${property}` };
    }
    case "cookie": {
      const value = judged.cookie(property);
      if (value === undefined) return { kind: "missing", place: `cookie ${property}`, reason: "it was not set" };
      return { kind: "value", value, text: true, place: `cookie ${property}` };
    }
    case "body":
    case "schema":
      return { kind: "value", value: judged.text(), text: true, place };
    case "jsonPath":
      return findByPath(judged, property);
    case "xPath":
      return findByXPath(judged, property);
  }
}
