import type { Json } from "../json/json.ts";
import { createConditions } from "./evaluate-condition.ts";
import { followQuery, type Node } from "./follow-query.ts";
import type { JsonPath } from "./json-path.ts";

/**
 * The nodelist a query selects, in RFC 9535's order.
 * @throws TooManyNodes; IncomparableNumbers when a filter compares numbers that lost digits
 */
export function selectNodes(path: JsonPath, document: Json): Node[] {
  const root: Node = { value: document };
  return followQuery(path.query, root, createConditions(root));
}

function stepsOf(node: Node): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: Node | undefined = node; at?.parent; at = at.parent) steps.unshift(at.key as string | number);
  return steps;
}

/** Where a node is, as an RFC 6901 pointer. */
export function pointerTo(node: Node): string {
  return stepsOf(node)
    .map((step) => `/${String(step).replace(/~/g, "~0").replace(/\//g, "~1")}`)
    .join("");
}

/** Where a node is, as people write it: `$.items[0]['a b']`. */
export function describePlace(node: Node): string {
  return stepsOf(node).reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `${place}.${step}` : `${place}[${JSON.stringify(step)}]`;
  }, "$");
}
