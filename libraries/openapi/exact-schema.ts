import { getMember, isRecord, type JsonRecord } from "../json/json-value.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";

/** A member of described schemas: JSON texts, by keyword, of values with numbers that a double would round. */
export const exactNumbersKeyword = "x-exact-numbers";

/** Keywords whose values are JSON of the document, or numbers to compare with. */
export const valueKeywords = [
  ...["example", "examples", "default", "enum", "const"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
] as const;

/** The schema with each number as the document writes it. The same object where no number was rounded. */
export function withExactNumbers(schema: JsonRecord): JsonRecord {
  const texts = getMember(schema, exactNumbersKeyword);
  if (!isRecord(texts)) return schema;
  const { [exactNumbersKeyword]: _, ...exact } = schema;
  for (const keyword of valueKeywords) {
    const text = getMember(texts, keyword);
    if (typeof text === "string" && getMember(schema, keyword) !== undefined)
      exact[keyword] = read(text, exact[keyword]);
  }
  return exact;
}

/** A schema that a user wrote may have such a member, too, with anything in it. */
function read(text: string, otherwise: unknown): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return otherwise;
    throw error;
  }
}
