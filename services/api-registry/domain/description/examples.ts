import type { MediaTypeContent } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toOptionalText } from "#libraries/json/json-value.ts";
import { type DocumentSet, resolve } from "../references/document-set.ts";
import { findExactText } from "../text/exact-numbers.ts";

type Example = MediaTypeContent["examples"][number];
const maxExamples = 50;

/** Documented examples of a parameter, header or media type: `example`, then `examples`, with 3.2's `dataValue`. */
export function describeExamples(holder: JsonRecord, file: string, set: DocumentSet): Example[] {
  const described: Example[] = [];
  if (Object.hasOwn(holder, "example") && holder.example !== undefined) {
    described.push({ name: "example", ...getValue(holder, "example") });
  }
  if (isRecord(holder.examples)) {
    for (const [name, value] of Object.entries(holder.examples).slice(0, maxExamples)) {
      const example = resolve(set, { file, pointer: "", value })?.value;
      const one = isRecord(example) ? describeExample(name, example) : undefined;
      if (one) described.push(one);
    }
  }
  return described;
}

function describeExample(name: string, example: JsonRecord): Example | undefined {
  const valueKey = ["value", "dataValue", "serializedValue"].find((key) => Object.hasOwn(example, key));
  if (valueKey === undefined) return undefined;
  const summary = toOptionalText(example.summary);
  const description = toOptionalText(example.description);
  return {
    name,
    ...(summary ? { summary } : {}),
    ...(description ? { description } : {}),
    ...getValue(example, valueKey),
  };
}

function getValue(holder: JsonRecord, name: string): Pick<Example, "value" | "valueJson"> {
  const valueJson = findExactText(holder, name);
  return { value: holder[name], ...(valueJson === undefined ? {} : { valueJson }) };
}
