import library from "xpath";
import type { MarkupDocument, MarkupNode } from "./markup.ts";

/** The expression is not XPath 1.0, or names something that XPath or the document does not have. */
export class InvalidXPath extends Error {
  override readonly name = "InvalidXPath";
}

export class TooManyMarkupNodes extends Error {
  override readonly name = "TooManyMarkupNodes";
}

/** Absent from the library's types. */
interface Selected {
  toArray?(): MarkupNode[];
  stringValue(): string;
}
interface Expression {
  evaluate(options: { node: MarkupNode; namespaces: Record<string, string> }): Selected;
}
const parser = library as unknown as { parse(text: string): Expression };

export type XPathExpression = Expression;

/** String values of nodes in document order, or the text of what a function or an operator gives, as by `string()`. */
export type XPathValue = { kind: "nodes"; values: string[] } | { kind: "text"; value: string };

const maximumNodes = 100_000;

/** @throws InvalidXPath */
export function parseXPath(text: string): XPathExpression {
  try {
    return parser.parse(text);
  } catch {
    throw new InvalidXPath("This is not XPath 1.0, e.g. //item[@id='7']/price.");
  }
}

/** @throws InvalidXPath; TooManyMarkupNodes; RangeError for a document that is nested too deeply */
export function selectByXPath(expression: XPathExpression, document: MarkupDocument): XPathValue {
  const selected = evaluate(expression, document);
  if (selected.toArray) {
    const nodes = selected.toArray();
    if (nodes.length > maximumNodes) throw new TooManyMarkupNodes("The XPath selects more than 100,000 nodes.");
    return { kind: "nodes", values: nodes.map((node) => node.stringValue()) };
  }
  return { kind: "text", value: selected.stringValue() };
}

function evaluate(expression: XPathExpression, document: MarkupDocument): Selected {
  try {
    return expression.evaluate({ node: document.root, namespaces: document.namespaces });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const [, prefix] = /Cannot resolve QName ([^\s:]+)/.exec(String(error)) ?? [];
    const [, name] = /Unknown function:? ([^\s(]+)/.exec(String(error)) ?? [];
    if (prefix !== undefined) {
      throw new InvalidXPath(`The document's root does not declare the prefix ${prefix}; local-name() needs none.`);
    }
    if (name !== undefined) throw new InvalidXPath(`XPath 1.0 has no function ${name}().`);
    throw new InvalidXPath("The XPath can't be evaluated.");
  }
}
