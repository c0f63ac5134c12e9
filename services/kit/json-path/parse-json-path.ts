import { isSingular, type JsonPath } from "./json-path.ts";
import { readCondition } from "./read-condition.ts";
import { readQuery } from "./read-query.ts";
import { Reader } from "./reader.ts";

const maximumLength = 2_000;

/**
 * Parses a JSONPath query as RFC 9535 has it, function types included.
 * @throws InvalidJsonPath with the place of the fault
 */
export function parseJsonPath(text: string): JsonPath {
  const reader = new Reader(text);
  if (text.length > maximumLength) reader.fail(`at most ${maximumLength} characters are taken`, maximumLength);
  if (!reader.peek("$")) reader.fail("a query starts with $");
  const query = readQuery(reader, 0, readCondition);
  if (!reader.atEnd) reader.fail(`${reader.text[reader.position]} is not expected here`);
  return { text, query, singular: isSingular(query) };
}
