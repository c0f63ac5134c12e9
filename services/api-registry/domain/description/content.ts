import type { MediaTypeContent, SchemaObject } from "#contracts/api-registry/operations.ts";
import { type JsonRecord, toRecord } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import type { DescriptionContext } from "./context.ts";
import { describeEncodings } from "./encoding.ts";
import { describeExamples } from "./examples.ts";
import { describeSchema } from "./schemas.ts";

const maxMediaTypes = 100;

/** A 3.x `content` map: one entry per media type, in order, with a sample for its direction. */
export function describeContent(
  value: unknown,
  file: string,
  direction: "request" | "response",
  context: DescriptionContext,
): MediaTypeContent[] {
  return Object.entries(toRecord(value))
    .slice(0, maxMediaTypes)
    .map(([mediaType, raw]) => {
      const target = resolve(context.set, { file, pointer: "", value: raw });
      const media = toRecord(target?.value);
      return describeMediaType(mediaType, media, target?.file ?? file, direction, context);
    });
}

function describeMediaType(
  mediaType: string,
  media: JsonRecord,
  file: string,
  direction: "request" | "response",
  context: DescriptionContext,
): MediaTypeContent {
  const schema = schemaOfMediaType(media, file, context);
  const examples = describeExamples(media, file, context.set);
  const content: MediaTypeContent = { mediaType, examples, ...describeEncodings(media, file, context) };
  if (schema !== undefined) content.schema = schema;
  setSample(content, examples, schema, direction, context);
  return content;
}

/** 3.2 describes streams by the schema of one item; the whole stream is a list. */
function schemaOfMediaType(media: JsonRecord, file: string, context: DescriptionContext): SchemaObject | undefined {
  if (media.schema !== undefined) {
    return describeSchema(media.schema, file, context.components, context.dependencies) as SchemaObject;
  }
  if (media.itemSchema === undefined) return undefined;
  return { type: "array", items: describeSchema(media.itemSchema, file, context.components, context.dependencies) };
}

export function setSample(
  holder: { sample?: unknown; sampleJson?: string },
  examples: { value: unknown; valueJson?: string }[],
  schema: SchemaObject | undefined,
  direction: "request" | "response",
  context: DescriptionContext,
): void {
  const [first] = examples;
  if (first) {
    holder.sample = first.value;
    if (first.valueJson !== undefined) holder.sampleJson = first.valueJson;
  } else if (schema !== undefined) context.pendingSamples.push({ holder, schema, direction });
}
