import type { CollectedAssertion } from "../../collection.ts";
import { findOnlyVariable, splitText } from "../placeholders.ts";
import { writeJsonPath } from "./json-path-code.ts";

/** How the scripts of a tool read a response and variables: JavaScript expressions. */
export interface ScriptReader {
  status: string;
  /** Milliseconds. */
  time?: string;
  /** As text. */
  body?: string;
  /** As parsed JSON. */
  json: string;
  url?: string;
  /** Text; undefined or null if it is missing. */
  header(name: string): string;
  cookie?(name: string): string;
  variable(name: string): string;
  /** Whether a response gave it, so that it has its JSON type. */
  isCaptured(name: string): boolean;
}

export interface Subject {
  code: string;
  isText: boolean;
  isList: boolean;
}

export type Unsaid = { reason: string };

/** What an assertion or a capture reads, or why no script can read it. */
export function writeSubject(
  { source, property = "" }: Pick<CollectedAssertion, "source" | "property">,
  reader: ScriptReader,
): Subject | Unsaid {
  const value = { isText: false, isList: false };
  const text = { isText: true, isList: false };
  switch (source) {
    case "statusCode":
      return { code: reader.status, ...value };
    case "responseTime":
      return reader.time
        ? { code: reader.time, ...value }
        : { reason: "Scripts of this tool can't read how long a response took." };
    case "header":
      return { code: reader.header(property), ...text };
    case "body":
      return reader.body
        ? { code: reader.body, ...text }
        : { reason: "Scripts of this tool can't read the text of a JSON body." };
    case "url":
      return reader.url ? { code: reader.url, ...text } : { reason: "Scripts of this tool can't read the final URL." };
    case "cookie":
      return reader.cookie
        ? { code: reader.cookie(property), ...text }
        : { reason: "Scripts of this tool can't read the cookies of a response." };
    case "jsonPath": {
      const path = writeJsonPath(reader.json, property);
      if (path) return { ...path, isText: false };
      return { reason: "Only names, indexes and wildcards of a JSONPath can be written in a script." };
    }
    case "xPath":
      return { reason: "Scripts of this tool have no XPath." };
    default:
      return { reason: "Scripts of this tool can't read it." };
  }
}

/** Any JSON value as JavaScript; variables in its texts are read. */
export function writeTarget(target: unknown, isText: boolean, reader: ScriptReader): string {
  if (typeof target === "string") return writeText(target, isText, reader);
  if (Array.isArray(target)) return `[${target.map((item) => writeTarget(item, isText, reader)).join(", ")}]`;
  if (typeof target === "object" && target !== null) {
    const members = Object.entries(target).map(
      ([name, item]) => `${JSON.stringify(name)}: ${writeTarget(item, isText, reader)}`,
    );
    return `{ ${members.join(", ")} }`;
  }
  return JSON.stringify(target) ?? "undefined";
}

function writeText(text: string, isText: boolean, reader: ScriptReader): string {
  const variable = findOnlyVariable(text);
  if (variable !== undefined) {
    const read = reader.variable(variable);
    if (isText) return `String(${read})`;
    return reader.isCaptured(variable) ? read : `typed(${read})`;
  }
  const pieces = splitText(text);
  if (pieces.every((piece) => "literal" in piece)) return JSON.stringify(text);
  return pieces
    .map((piece) =>
      "variable" in piece ? `String(${reader.variable(piece.variable)})` : JSON.stringify(piece.literal),
    )
    .join(" + ");
}

const comparesOne = new Set(
  "lessThan lessThanOrEqual greaterThan greaterThanOrEqual between before after within startsWith endsWith matches notMatches isNull isNotNull".split(
    " ",
  ),
);

function needsOne(comparison: string, target: unknown): boolean {
  if (comparison === "equals" || comparison === "notEquals") return !Array.isArray(target);
  if (comparison === "oneOf" || comparison === "noneOf") return !(Array.isArray(target) && target.some(Array.isArray));
  if (comparison === "hasType") return target !== "array";
  return comparesOne.has(comparison);
}

/** What is compared: of a list that has one value, that value where the comparison takes one. */
export function writeCompared(subject: Subject, comparison: string, target: unknown): string {
  if (subject.isList && needsOne(comparison, target)) return `only(${subject.code})`;
  return subject.isText && typeof target === "number" ? `Number(${subject.code})` : subject.code;
}

const units: Record<string, number> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

function readSpan(span: unknown): number | undefined {
  const [, amount, unit] = /^\s*([\d.]+)\s*(ms|s|min|h|d)\s*$/.exec(String(span)) ?? [];
  return amount === undefined ? undefined : Number(amount) * units[unit!]!;
}

/** Code of a regular expression; undefined where JavaScript has none like it. */
export function writePattern(source: unknown): string | undefined {
  if (typeof source !== "string" || splitText(source).some((piece) => "variable" in piece)) return undefined;
  const [, letters = "", pattern = ""] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(source) ?? [];
  if (/\(\?[a-zA-Z-]+[):]|\(\?P|\\[AzQEC]|\[\[:/.test(pattern)) return undefined;
  try {
    const expression = new RegExp(pattern, letters);
    return String(expression);
  } catch {
    return undefined;
  }
}

/** A boolean expression of an assertion, or why there is none. */
export function writeCondition(assertion: CollectedAssertion, reader: ScriptReader): { code: string } | Unsaid {
  const subject = writeSubject(assertion, reader);
  if ("reason" in subject) return subject;
  const { comparison, target } = assertion;
  const value = writeCompared(subject, comparison, target);
  const wanted = (item: unknown = target) => writeTarget(item, subject.isText && typeof item !== "number", reader);
  const isSimple = typeof target !== "object" || target === null;
  const holds = (code: string) => ({ code });
  switch (comparison) {
    case "equals":
      return holds(isSimple ? `${value} === ${wanted()}` : `same(${value}, ${wanted()})`);
    case "notEquals":
      return holds(isSimple ? `${value} !== ${wanted()}` : `!same(${value}, ${wanted()})`);
    case "lessThan":
      return holds(`${value} < ${wanted()}`);
    case "lessThanOrEqual":
      return holds(`${value} <= ${wanted()}`);
    case "greaterThan":
      return holds(`${value} > ${wanted()}`);
    case "greaterThanOrEqual":
      return holds(`${value} >= ${wanted()}`);
    case "between": {
      const [from, to] = Array.isArray(target) ? target : [];
      const number = writeCompared(subject, comparison, from);
      return holds(`${number} >= ${wanted(from)} && ${number} <= ${wanted(to)}`);
    }
    case "contains":
    case "notContains": {
      const isText = subject.isText && typeof target === "string";
      const code = isText ? `(${value} ?? "").includes(${wanted()})` : `contains(${value}, ${wanted()})`;
      return holds(comparison === "contains" ? code : `!${code}`);
    }
    case "oneOf":
    case "noneOf": {
      const isPlain = Array.isArray(target) && target.every((item) => typeof item !== "object");
      const code = isPlain ? `${wanted()}.includes(${value})` : `${wanted()}.some((one) => same(one, ${value}))`;
      return holds(comparison === "oneOf" ? code : `!${code}`);
    }
    case "startsWith":
      return holds(`String(${value} ?? "").startsWith(${wanted()})`);
    case "endsWith":
      return holds(`String(${value} ?? "").endsWith(${wanted()})`);
    case "matches":
    case "notMatches": {
      const pattern = writePattern(target);
      if (!pattern) return { reason: "JavaScript has no regular expression like this one." };
      return holds(`${comparison === "matches" ? "" : "!"}${pattern}.test(${value} ?? "")`);
    }
    case "exists":
      return holds(subject.isList ? `${value}.length > 0` : isMissing(subject, value, false));
    case "notExists":
      return holds(subject.isList ? `${value}.length === 0` : isMissing(subject, value, true));
    case "isNull":
      return holds(`${value} === null`);
    case "isNotNull":
      return holds(`${value} !== null && ${value} !== undefined`);
    case "isEmpty":
      return holds(`size(${value}) === 0`);
    case "isNotEmpty":
      return holds(`size(${value}) > 0`);
    case "hasType":
      if (target === "integer") return holds(`Number.isInteger(${value})`);
      if (target === "array") return holds(`Array.isArray(${value})`);
      if (/^(string|number|boolean)$/.test(String(target))) return holds(`typeof ${value} === ${wanted()}`);
      return holds(`typeName(${value}) === ${wanted()}`);
    case "lengthEquals":
      return holds(`size(${value}) === ${wanted()}`);
    case "lengthLessThan":
      return holds(`size(${value}) < ${wanted()}`);
    case "lengthGreaterThan":
      return holds(`size(${value}) > ${wanted()}`);
    case "before":
      return holds(`toTime(${value}) < toTime(${wanted()})`);
    case "after":
      return holds(`toTime(${value}) > toTime(${wanted()})`);
    case "within": {
      const [span, moment] = Array.isArray(target) ? target : [];
      const milliseconds = readSpan(span);
      if (milliseconds === undefined) return { reason: "Its span of time is a variable." };
      return holds(`Math.abs(toTime(${value}) - toTime(${wanted(moment)})) <= ${milliseconds}`);
    }
    default:
      return { reason: "Scripts of this tool have no such comparison." };
  }
}

/** A header that is missing is undefined in some tools and null in others. */
function isMissing({ isText }: Subject, value: string, missing: boolean): string {
  const sign = missing ? "===" : "!==";
  if (!isText) return `${value} ${sign} undefined`;
  return missing ? `(${value} ?? "") === ""` : `(${value} ?? "") !== ""`;
}
