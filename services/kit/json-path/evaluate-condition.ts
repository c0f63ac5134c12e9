import { compareNumbers, equalJson, isJsonNumber } from "../json/compare-json.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { compilePattern, type Pattern, UnsupportedPattern } from "../pattern/pattern.ts";
import { followQuery, type Meets, type Node } from "./follow-query.ts";
import { translateIRegexp } from "./i-regexp.ts";
import type { Call, ComparisonSign, Condition, Operand, Query } from "./json-path.ts";

/** RFC 9535's Nothing: the value of an operand that selects no node. */
const nothing = Symbol("nothing");
type Value = Json | typeof nothing;

/** Order of code points, which is not the order of UTF-16 units that `<` gives. */
function compareStrings(left: string, right: string): number {
  const rights = [...right];
  let index = 0;
  for (const character of left) {
    const other = rights[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) as number) - (other.codePointAt(0) as number);
    index += 1;
  }
  return index < rights.length ? -1 : 0;
}

function isLess(left: Value, right: Value): boolean {
  if (left === nothing || right === nothing) return false;
  if (isJsonNumber(left) && isJsonNumber(right)) return compareNumbers(left, right) < 0;
  return typeof left === "string" && typeof right === "string" && compareStrings(left, right) < 0;
}

function isEqual(left: Value, right: Value): boolean {
  if (left === nothing || right === nothing) return left === right;
  return equalJson(left, right);
}

function compare(left: Value, sign: ComparisonSign, right: Value): boolean {
  switch (sign) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
      return isLess(left, right);
    case ">":
      return isLess(right, left);
    case "<=":
      return isLess(left, right) || isEqual(left, right);
    case ">=":
      return isLess(right, left) || isEqual(left, right);
  }
}

function lengthOf(value: Value): Value {
  if (typeof value === "string") return [...value].length;
  if (value === nothing) return nothing;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : nothing;
}

/** Answers whether a filter's condition holds for a node; compiles each pattern once a query. */
export function createConditions(root: Node): Meets {
  const patterns = new Map<string, Pattern | undefined>();

  function findPattern(source: string): Pattern | undefined {
    if (!patterns.has(source)) {
      let compiled: Pattern | undefined;
      try {
        compiled = compilePattern(translateIRegexp(source));
      } catch (error) {
        // RFC 9535, 2.4.6: what is no pattern matches nothing.
        if (!(error instanceof UnsupportedPattern)) throw error;
      }
      patterns.set(source, compiled);
    }
    return patterns.get(source);
  }

  function nodesOf(query: Query, node: Node): Node[] {
    return followQuery(query, query.from === "root" ? root : { value: node.value }, meets);
  }

  function valueAt(operand: Operand, node: Node): Value {
    if (operand.kind === "literal") return operand.value;
    if (operand.kind === "call") return valueOfCall(operand.call, node);
    const nodes = nodesOf(operand.query, node);
    return nodes.length === 1 ? (nodes[0] as Node).value : nothing;
  }

  function valueOfCall(call: Call, node: Node): Value {
    const argument = call.arguments[0] as Operand;
    if (call.name === "length") return lengthOf(valueAt(argument, node));
    if (call.name === "value") return valueAt(argument, node);
    return argument.kind === "query" ? nodesOf(argument.query, node).length : nothing;
  }

  function testOf(call: Call, node: Node): boolean {
    const [text, source] = call.arguments.map((argument) => valueAt(argument, node));
    if (typeof text !== "string" || typeof source !== "string") return false;
    const pattern = findPattern(source);
    if (!pattern) return false;
    return call.name === "match" ? pattern.testWhole(text) : pattern.test(text);
  }

  function holds(condition: Condition, node: Node): boolean {
    switch (condition.kind) {
      case "or":
        return condition.conditions.some((one) => holds(one, node));
      case "and":
        return condition.conditions.every((one) => holds(one, node));
      case "not":
        return !holds(condition.condition, node);
      case "comparison":
        return compare(valueAt(condition.left, node), condition.sign, valueAt(condition.right, node));
      case "exists":
        return nodesOf(condition.query, node).length > 0;
      case "test":
        return testOf(condition.call, node);
    }
  }

  const meets: Meets = (selector, node) => holds(selector.condition, node);
  return meets;
}
