import { JSONPathEnvironment, JSONPathError, type JSONPathNode, type JSONPathQuery } from "json-p3";
import type { Json } from "../json/json.ts";
import { maximumJsonDepth } from "../json/parse-json.ts";
import { compareExactly } from "./compare-exactly.ts";
import { length, matchPattern, searchPattern } from "./filter-functions.ts";

/** A parsed, well-typed query of RFC 9535. */
export interface JsonPath {
  text: string;
  query: JSONPathQuery;
  /** Selects at most one node in any document: names and indexes only. */
  singular: boolean;
}

/** A value and its location in the document. */
export interface Node {
  value: Json;
  steps: (string | number)[];
}

/** The query is not valid RFC 9535; `message` is a sentence that includes the position. */
export class InvalidJsonPath extends Error {
  override readonly name = "InvalidJsonPath";
  constructor(
    reason: string,
    /** Characters before the position, from 0. */
    readonly position: number,
  ) {
    super(`Not a JSONPath: ${reason} (character ${position + 1}).`);
  }
}

/** The query would select more nodes than the limit. */
export class TooManyNodes extends Error {
  override readonly name = "TooManyNodes";
  constructor() {
    super(`The JSONPath selects more than ${maximumNodes} nodes.`);
  }
}

const maximumLength = 2_000;
const maximumNodes = 500_000;

class Environment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions();
    this.functionRegister.set("length", length);
    this.functionRegister.set("match", matchPattern);
    this.functionRegister.set("search", searchPattern);
  }
}

const environment = new Environment({ maxRecursionDepth: maximumJsonDepth + 2 });

/** Replacements for parser messages that expose its internals. */
const clearerMessages: [RegExp, string][] = [
  [/backup beyond start/, "expected a name, * or brackets"],
  [/bald descendant segment/, "expected a name, * or brackets after .."],
  [/TOKEN_ERROR/, "white space is not expected here"],
];

/**
 * Parses a JSONPath query by RFC 9535, function types included.
 * @throws InvalidJsonPath with the position of the error
 */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > maximumLength) {
    throw new InvalidJsonPath(`at most ${maximumLength} characters are taken`, maximumLength);
  }
  if (!text.startsWith("$")) throw new InvalidJsonPath("a query starts with $", 0);
  try {
    const query = environment.compile(text);
    compareExactly(query);
    return { text, query, singular: query.singularQuery() };
  } catch (error) {
    if (error instanceof JSONPathError) {
      const [, clearer] = clearerMessages.find(([words]) => words.test(error.message)) ?? [];
      throw new InvalidJsonPath(
        clearer ?? error.message.replace(/ \('.*':\d+\)$/s, "").replace(/ {2,}/g, " "),
        error.token.index,
      );
    }
    throw error;
  }
}

/**
 * The nodelist that a query selects, in RFC 9535's order.
 * @throws TooManyNodes
 */
export function selectNodes({ query }: JsonPath, document: Json): Node[] {
  const nodes: Node[] = [];
  for (const { value, location } of query.lazyQuery(document as never) as Iterable<JSONPathNode>) {
    if (nodes.length === maximumNodes) throw new TooManyNodes();
    nodes.push({ value: value as Json, steps: location });
  }
  return nodes;
}

/** The location of a node as an RFC 6901 pointer. */
export function pointerTo({ steps }: Node): string {
  return steps.map((step) => `/${String(step).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

/** The location of a node for display: `$.items[0]["a b"]`. */
export function formatLocation({ steps }: Node): string {
  return steps.reduce<string>((formatted, step) => {
    if (typeof step === "number") return `${formatted}[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `${formatted}.${step}` : `${formatted}[${JSON.stringify(step)}]`;
  }, "$");
}
