import { JSONPathNodeList, type JSONPathQuery, jsonpath, Nothing } from "json-p3";
import { equalJson, isJsonNumber } from "../json/compare-json.ts";
import { compareNumbers, numberFromText } from "../json/exact-number.ts";
import type { Json } from "../json/json.ts";

const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, NumberLiteral, PrefixExpression } =
  jsonpath.expressions;
type Expression = InstanceType<typeof jsonpath.expressions.FilterExpression>;
type Comparison = InstanceType<typeof InfixExpression>;

/**
 * Makes the comparisons in a parsed query's filters exact, as in assertions: decimals of any size and precision. The
 * library knows doubles only.
 */
export function compareExactly(query: JSONPathQuery): void {
  for (const { selectors } of query.segments) {
    for (const selector of selectors) {
      if (selector instanceof jsonpath.selectors.FilterSelector) prepare(selector.expression);
    }
  }
}

function prepare(expression: Expression): void {
  if (expression instanceof LogicalExpression) prepare(expression.expression);
  else if (expression instanceof PrefixExpression) prepare(expression.right);
  else if (expression instanceof FilterQuery) compareExactly(expression.path);
  else if (expression instanceof FunctionExtension) for (const argument of expression.args) prepare(argument);
  else if (expression instanceof NumberLiteral) {
    const value = numberFromText(expression.token.value) as number;
    expression.evaluate = () => value;
  } else if (expression instanceof InfixExpression) {
    prepare(expression.left);
    prepare(expression.right);
    if (!expression.logical) expression.evaluate = (context) => compare(expression, context);
  }
}

function compare({ left, operator, right }: Comparison, context: Parameters<Expression["evaluate"]>[0]): boolean {
  const a = single(left.evaluate(context));
  const b = single(right.evaluate(context));
  switch (operator) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "<":
      return isLess(a, b);
    case ">":
      return isLess(b, a);
    case "<=":
      return isLess(a, b) || equal(a, b);
    default:
      return isLess(b, a) || equal(a, b);
  }
}

type Operand = Json | typeof Nothing;

function single(value: unknown): Operand {
  if (!(value instanceof JSONPathNodeList)) return value as Operand;
  return value.nodes.length === 1 ? (value.nodes[0]!.value as Operand) : Nothing;
}

function equal(left: Operand, right: Operand): boolean {
  return left === Nothing || right === Nothing ? left === right : equalJson(left as Json, right as Json);
}

/** RFC 9535, 2.3.5.2.2: only numbers and strings have an order. */
function isLess(left: Operand, right: Operand): boolean {
  if (left === Nothing || right === Nothing) return false;
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right) < 0;
  if (!isJsonNumber(left as Json) || !isJsonNumber(right as Json)) return false;
  return compareNumbers(left as number, right as number) < 0;
}

/** Code point order, which differs from the UTF-16 unit order of `<`. */
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
