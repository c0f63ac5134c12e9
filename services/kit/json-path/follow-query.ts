import { isJsonObject, type Json } from "../json/json.ts";
import type { Query, Selector } from "./json-path.ts";

/** A place in the document. Chained to its parent, so that remembering a place costs the same at any depth. */
export interface Node {
  value: Json;
  parent?: Node;
  key?: string | number;
}

/** The query would select more nodes than are handled. */
export class TooManyNodes extends Error {
  override readonly name = "TooManyNodes";
  constructor() {
    super(`The JSONPath selects more than ${maximumNodes} nodes.`);
  }
}

const maximumNodes = 500_000;

export type Meets = (selector: Selector & { kind: "filter" }, node: Node) => boolean;

function* childrenOf(node: Node): Generator<Node> {
  const { value } = node;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      yield { value: value[index] as Json, parent: node, key: index };
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) yield { value: value[name] as Json, parent: node, key: name };
  }
}

function* sliceOf(node: Node, items: Json[], { start, end, step }: Selector & { kind: "slice" }): Generator<Node> {
  const { length } = items;
  const normalize = (bound: number) => (bound >= 0 ? bound : length + bound);
  const clamp = (bound: number, low: number, high: number) => Math.min(Math.max(bound, low), high);
  if (step > 0) {
    const upper = clamp(normalize(end ?? length), 0, length);
    for (let index = clamp(normalize(start ?? 0), 0, length); index < upper; index += step) {
      yield { value: items[index] as Json, parent: node, key: index };
    }
  } else if (step < 0) {
    const lower = end === undefined ? -1 : clamp(normalize(end), -1, length - 1);
    for (let index = clamp(normalize(start ?? length - 1), -1, length - 1); index > lower; index += step) {
      yield { value: items[index] as Json, parent: node, key: index };
    }
  }
}

function* selectFrom(node: Node, selector: Selector, meets: Meets): Generator<Node> {
  const { value } = node;
  switch (selector.kind) {
    case "name":
      if (isJsonObject(value) && Object.hasOwn(value, selector.name)) {
        yield { value: value[selector.name] as Json, parent: node, key: selector.name };
      }
      return;
    case "index": {
      if (!Array.isArray(value)) return;
      const index = selector.index < 0 ? value.length + selector.index : selector.index;
      if (index >= 0 && index < value.length) yield { value: value[index] as Json, parent: node, key: index };
      return;
    }
    case "wildcard":
      yield* childrenOf(node);
      return;
    case "slice":
      if (Array.isArray(value)) yield* sliceOf(node, value, selector);
      return;
    case "filter":
      for (const child of childrenOf(node)) if (meets(selector, child)) yield child;
  }
}

/** The node and all below it, each before its children; without recursion, so depth costs no stack. */
function* withDescendants(node: Node): Generator<Node> {
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const children = [...childrenOf(next)];
    for (let index = children.length - 1; index >= 0; index -= 1) waiting.push(children[index] as Node);
  }
}

/** Applies a query's segments one after the other. */
export function followQuery(query: Query, start: Node, meets: Meets): Node[] {
  let nodes = [start];
  for (const { descendants, selectors } of query.segments) {
    const selected: Node[] = [];
    for (const node of nodes) {
      for (const from of descendants ? withDescendants(node) : [node]) {
        for (const selector of selectors) {
          for (const found of selectFrom(from, selector, meets)) {
            if (selected.push(found) > maximumNodes) throw new TooManyNodes();
          }
        }
      }
    }
    nodes = selected;
  }
  return nodes;
}
