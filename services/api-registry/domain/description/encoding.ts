import type { MediaTypeContent } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, setMember, toRecord } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import type { DescriptionContext } from "./context.ts";
import { describeExamples } from "./examples.ts";
import { describeSchema } from "./schemas.ts";

/** The Encoding Objects of a media type, by name and by position (3.2), with the references of their headers resolved. */
export function describeEncodings(
  { encoding, prefixEncoding, itemEncoding }: JsonRecord,
  file: string,
  context: DescriptionContext,
): Pick<MediaTypeContent, "encoding" | "prefixEncoding" | "itemEncoding"> {
  const describe = (one: unknown) => describeEncoding(one, file, context);
  const described: ReturnType<typeof describeEncodings> = {};
  if (isRecord(encoding)) {
    const byName: JsonRecord = {};
    for (const [name, one] of Object.entries(encoding)) setMember(byName, name, describe(one));
    described.encoding = byName;
  }
  if (Array.isArray(prefixEncoding)) described.prefixEncoding = prefixEncoding.map(describe);
  if (isRecord(itemEncoding)) described.itemEncoding = describe(itemEncoding);
  return described;
}

function describeEncoding(encoding: unknown, file: string, context: DescriptionContext): unknown {
  if (!isRecord(encoding) || !isRecord(encoding.headers)) return encoding;
  const headers: JsonRecord = {};
  for (const [name, raw] of Object.entries(encoding.headers)) {
    const target = resolve(context.set, { file, pointer: "", value: raw });
    if (target) setMember(headers, name, describeHeader(toRecord(target.value), target.file, context));
  }
  return { ...encoding, headers };
}

/** With one example at most, which is what is sent. */
function describeHeader(header: JsonRecord, file: string, context: DescriptionContext): JsonRecord {
  const [example] = describeExamples(header, file, context.set);
  return {
    required: header.required === true,
    ...(example ? { example: example.value } : {}),
    ...(header.schema === undefined
      ? {}
      : { schema: describeSchema(header.schema, file, context.components, context.dependencies) }),
  };
}
