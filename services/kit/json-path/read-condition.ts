import type { Json } from "../json/json.ts";
import { numberFromText } from "../json/parse-json.ts";
import {
  type Call,
  type ComparisonSign,
  type Condition,
  type FunctionName,
  type FunctionType,
  functionSignatures,
  isSingular,
  type Operand,
} from "./json-path.ts";
import { maximumNesting, readQuery } from "./read-query.ts";
import type { Reader } from "./reader.ts";

const words: [string, Json][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

function readLiteral(reader: Reader): Operand | undefined {
  if (reader.peek("'") || reader.peek('"')) return { kind: "literal", value: reader.readString() };
  const number = reader.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number !== undefined) return { kind: "literal", value: numberFromText(number) };
  for (const [word, value] of words) {
    if (reader.match(new RegExp(`${word}(?![a-z0-9_(])`, "y"))) return { kind: "literal", value };
  }
  return undefined;
}

function requireArgumentType(reader: Reader, operand: Operand, wanted: FunctionType, position: number): void {
  if (operand.kind === "literal" && wanted === "value") return;
  if (operand.kind === "query" && (wanted === "nodes" || isSingular(operand.query))) return;
  if (operand.kind === "call" && functionSignatures[operand.call.name].gives === wanted) return;
  reader.fail(
    wanted === "nodes"
      ? "this argument must be a query"
      : "this argument must be one value: a query that selects several is not",
    position,
  );
}

function readCall(reader: Reader, nesting: number): Call | undefined {
  const start = reader.position;
  const name = reader.match(/[a-z][a-z_0-9]*(?=\()/y);
  if (name === undefined) return undefined;
  if (!Object.hasOwn(functionSignatures, name)) reader.fail(`there is no function ${name}`, start);
  const { takes } = functionSignatures[name as FunctionName];
  reader.expect("(");
  const given: Operand[] = [];
  for (const [index, wanted] of takes.entries()) {
    if (index > 0) reader.expect(",");
    reader.skipBlanks();
    const position = reader.position;
    const operand = readOperand(reader, nesting + 1) ?? reader.fail("expected an argument");
    requireArgumentType(reader, operand, wanted, position);
    given.push(operand);
    reader.skipBlanks();
  }
  reader.expect(")");
  return { name: name as FunctionName, arguments: given };
}

function readOperand(reader: Reader, nesting: number): Operand | undefined {
  if (nesting > maximumNesting) reader.fail("filters are nested too deep");
  if (reader.peek("$") || reader.peek("@")) return { kind: "query", query: readQuery(reader, nesting, readCondition) };
  const literal = readLiteral(reader);
  if (literal) return literal;
  const call = readCall(reader, nesting);
  return call && { kind: "call", call };
}

/** What may stand beside a comparison sign: one value (RFC 9535, 2.3.5.1). */
function requireComparable(reader: Reader, operand: Operand, position: number): Operand {
  if (operand.kind === "query" && !isSingular(operand.query)) {
    reader.fail("a query that may select several values cannot be compared", position);
  }
  if (operand.kind === "call" && functionSignatures[operand.call.name].gives !== "value") {
    reader.fail(`the answer of ${operand.call.name} cannot be compared`, position);
  }
  return operand;
}

function readBasic(reader: Reader, nesting: number): Condition {
  if (nesting > maximumNesting) reader.fail("filters are nested too deep");
  const negated = reader.take("!");
  if (negated) reader.skipBlanks();
  if (reader.take("(")) {
    reader.skipBlanks();
    const condition = readCondition(reader, nesting + 1);
    reader.skipBlanks();
    reader.expect(")");
    return negated ? { kind: "not", condition } : condition;
  }
  const start = reader.position;
  const left = readOperand(reader, nesting + 1) ?? reader.fail("expected a condition");
  const end = reader.position;
  reader.skipBlanks();
  const sign = negated ? undefined : (reader.match(/==|!=|<=|>=|<|>/y) as ComparisonSign | undefined);
  if (sign) {
    requireComparable(reader, left, start);
    reader.skipBlanks();
    const position = reader.position;
    const right = readOperand(reader, nesting + 1) ?? reader.fail("expected something to compare with");
    return { kind: "comparison", left, sign, right: requireComparable(reader, right, position) };
  }
  reader.position = end;
  return readTest(reader, left, negated, start);
}

function readTest(reader: Reader, operand: Operand, negated: boolean, start: number): Condition {
  if (operand.kind === "literal") reader.fail("a value alone is not a condition; compare it with something", start);
  if (operand.kind === "call" && functionSignatures[operand.call.name].gives === "value") {
    reader.fail(`${operand.call.name} gives a value; compare it with something`, start);
  }
  const condition: Condition =
    operand.kind === "query" ? { kind: "exists", query: operand.query } : { kind: "test", call: operand.call };
  return negated ? { kind: "not", condition } : condition;
}

function readSeries(reader: Reader, sign: "&&" | "||", readOne: () => Condition): Condition {
  const conditions = [readOne()];
  for (;;) {
    const end = reader.position;
    reader.skipBlanks();
    if (!reader.take(sign)) {
      reader.position = end;
      const [only] = conditions;
      return conditions.length === 1 && only ? only : { kind: sign === "&&" ? "and" : "or", conditions };
    }
    reader.skipBlanks();
    conditions.push(readOne());
  }
}

/** Reads the condition of a filter; `&&` binds closer than `||`. */
export function readCondition(reader: Reader, nesting: number): Condition {
  return readSeries(reader, "||", () => readSeries(reader, "&&", () => readBasic(reader, nesting)));
}
