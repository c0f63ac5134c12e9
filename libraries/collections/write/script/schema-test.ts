import type { CollectedAssertion } from "../../collection.ts";
import { type ScriptReader, writeSubject } from "./condition.ts";

/**
 * An assertion by a JSON Schema, for tools that have a validator; undefined for any other assertion.
 * @param write lines of a test, from the code of the value and of the schema
 */
export function writeSchemaTest(
  { source, property, comparison, target }: CollectedAssertion,
  reader: ScriptReader,
  write: (value: string, schema: string) => string[],
): { code: string } | { reason: string } | undefined {
  if (comparison !== "matchesSchema") return undefined;
  if (target === undefined) return { reason: "The documented schema is not known here." };
  const subject = source === "schema" ? { code: reader.json } : writeSubject({ source, property }, reader);
  if ("reason" in subject) return subject;
  return { code: write(subject.code, JSON.stringify(target, null, 2)).join("\n") };
}
