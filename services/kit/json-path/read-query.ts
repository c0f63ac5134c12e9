import type { Condition, Query, Segment, Selector } from "./json-path.ts";
import type { Reader } from "./reader.ts";

/** Reads the condition of a filter. Handed in, since conditions hold queries and queries conditions. */
export type ReadCondition = (reader: Reader, nesting: number) => Condition;

/** Parentheses, filters and function calls within each other. */
export const maximumNesting = 50;

function readSlice(reader: Reader, start: number | undefined): Selector {
  reader.skipBlanks();
  const end = reader.readInteger();
  reader.skipBlanks();
  let step = 1;
  if (reader.take(":")) {
    reader.skipBlanks();
    step = reader.readInteger() ?? 1;
  }
  return { kind: "slice", start, end, step };
}

function readSelector(reader: Reader, nesting: number, readCondition: ReadCondition): Selector {
  if (reader.peek("'") || reader.peek('"')) return { kind: "name", name: reader.readString() };
  if (reader.take("*")) return { kind: "wildcard" };
  if (reader.take("?")) {
    reader.skipBlanks();
    return { kind: "filter", condition: readCondition(reader, nesting + 1) };
  }
  const start = reader.readInteger();
  const afterNumber = reader.position;
  reader.skipBlanks();
  if (reader.take(":")) return readSlice(reader, start);
  reader.position = afterNumber;
  if (start === undefined) reader.fail("expected a quoted name, an index, a slice, * or a filter");
  return { kind: "index", index: start };
}

function readBrackets(reader: Reader, nesting: number, readCondition: ReadCondition): Selector[] {
  const selectors: Selector[] = [];
  do {
    reader.skipBlanks();
    selectors.push(readSelector(reader, nesting, readCondition));
    reader.skipBlanks();
  } while (reader.take(","));
  reader.expect("]");
  return selectors;
}

function readSegment(reader: Reader, nesting: number, readCondition: ReadCondition): Segment | undefined {
  const descendants = reader.take("..");
  if (reader.take("[")) return { descendants, selectors: readBrackets(reader, nesting, readCondition) };
  if (!descendants && !reader.take(".")) return undefined;
  if (reader.take("*")) return { descendants, selectors: [{ kind: "wildcard" }] };
  return { descendants, selectors: [{ kind: "name", name: reader.readShorthand() }] };
}

/** Reads from `$` or `@` as far as segments go; blanks after the last one stay unread. */
export function readQuery(reader: Reader, nesting: number, readCondition: ReadCondition): Query {
  if (nesting > maximumNesting) reader.fail("filters are nested too deep");
  const from = reader.take("$") ? "root" : "current";
  if (from === "current") reader.expect("@");
  const segments: Segment[] = [];
  for (;;) {
    const end = reader.position;
    reader.skipBlanks();
    const segment = readSegment(reader, nesting, readCondition);
    if (!segment) {
      reader.position = end;
      return { from, segments };
    }
    segments.push(segment);
  }
}
