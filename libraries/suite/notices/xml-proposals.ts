import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { MarkupDocument } from "../../xpath/markup.ts";
import { type Proposal, propose } from "./change.ts";
import { getItemIndex, toLiteral, toRelativeXPath, toXPath, type XmlSteps } from "./xml-steps.ts";

const maxTextLength = 200;
const startLength = 60;

function assertXPath(property: string, comparison: Assertion["comparison"], target?: unknown): Assertion {
  return { source: "xPath", property, comparison, ...(target === undefined ? {} : { target }) };
}

/** Assertions about a place of an XML body; in a list's item about every item. */
export class XmlProposals {
  readonly #path: string;
  readonly #list: string | undefined;
  readonly #inside: string;

  constructor(steps: XmlSteps, document: MarkupDocument) {
    const index = getItemIndex(steps);
    this.#path = toXPath(steps, document);
    this.#list = index < 0 ? undefined : toXPath(steps.slice(0, index + 1), document);
    this.#inside = index === steps.length - 1 ? "." : toRelativeXPath(steps.slice(index + 1), document);
  }

  /** That no item is such as the condition says; of a place in no list the assertion itself. */
  #propose(condition: string | undefined, single: Assertion): Proposal[] {
    if (this.#list === undefined) return propose(single);
    return condition === undefined ? [] : propose(assertXPath(`${this.#list}[${condition}]`, "notExists"));
  }

  exists(): Proposal[] {
    return this.#propose(`not(${this.#inside})`, assertXPath(this.#path, "exists"));
  }

  hasText(): Proposal[] {
    return this.#propose(`normalize-space(${this.#inside})=''`, assertXPath(this.#path, "isNotEmpty"));
  }

  isNumber(): Proposal[] {
    const single = assertXPath(this.#path, "matches", "^\\s*-?\\d+(\\.\\d+)?\\s*$");
    return this.#propose(`string(number(${this.#inside}))='NaN'`, single);
  }

  hasForm(pattern: string): Proposal[] {
    return this.#propose(undefined, assertXPath(this.#path, "matches", pattern));
  }

  hasValue(text: string): Proposal[] {
    if (text.length > maxTextLength) {
      const start = [...text].slice(0, startLength).join("");
      return this.#propose(undefined, assertXPath(this.#path, "startsWith", start));
    }
    const literal = toLiteral(text);
    const condition = literal === undefined ? undefined : `not(${this.#inside}=${literal})`;
    return this.#propose(condition, assertXPath(this.#path, "equals", text));
  }

  /** A value that the test itself sends. */
  isSent(text: string, target: string): Proposal[] {
    const filled = assertXPath(this.#path, "equals", text);
    return [{ assertion: { ...filled, target }, filled }];
  }

  hasItems(): Proposal[] {
    return propose(assertXPath(this.#path, "exists"));
  }

  isUnique(name: string): Proposal[] {
    return propose(assertXPath(`${this.#path}[. = preceding-sibling::${name}]`, "notExists"));
  }

  hasCount(count: number): Proposal[] {
    return propose(assertXPath(`count(${this.#path})`, "equals", count));
  }
}
