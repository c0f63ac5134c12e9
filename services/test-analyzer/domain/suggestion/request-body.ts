import type { DescribedOperation, MediaTypeContent } from "../../../api-registry/contract/operations.ts";
import type { RequestBody } from "../../../test-registry/contract/tests.ts";
import { isJson, parseMediaType } from "../media-type.ts";

export interface Gap {
  path: string;
  message: string;
}

const longestText = 1_048_576;
const longestValue = 100_000;

/** JSON first, since it is edited and judged best; then forms, then text. */
function rank({ mediaType }: MediaTypeContent): number {
  const parsed = parseMediaType(mediaType);
  if (!parsed) return 9;
  if (isJson(parsed)) return parsed.subtype === "json" ? 0 : 1;
  const essence = `${parsed.type}/${parsed.subtype}`;
  if (essence === "application/x-www-form-urlencoded") return 2;
  if (essence === "multipart/form-data") return 3;
  return parsed.type === "text" ? 4 : 5;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, longestValue);
}

function membersOf(sample: unknown): [string, unknown][] {
  if (typeof sample !== "object" || sample === null || Array.isArray(sample)) return [];
  return Object.entries(sample).filter(([name]) => name.trim() !== "" && name.length <= 500);
}

function isFile(content: MediaTypeContent, name: string): boolean {
  const schema = typeof content.schema === "object" ? content.schema : {};
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown> | boolean | undefined>;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (typeof property !== "object") return false;
  return property.format === "binary" || property.type === "file" || property.contentMediaType !== undefined;
}

function jsonBody(content: MediaTypeContent): { body: RequestBody; gaps: Gap[] } {
  // Wildcards name no type that could be sent.
  const named = content.mediaType !== "application/json" && !content.mediaType.includes("*");
  const mediaType = named ? { mediaType: content.mediaType } : {};
  const written = content.sample === undefined ? undefined : JSON.stringify(content.sample, null, 2);
  if (written !== undefined && written.length <= longestText) {
    return { body: { kind: "json", text: written, ...mediaType }, gaps: [] };
  }
  const message = "No valid body could be made from the schema; write one";
  return { body: { kind: "json", text: "", ...mediaType }, gaps: [{ path: "request.body.text", message }] };
}

function textBody(content: MediaTypeContent): { body: RequestBody; gaps: Gap[] } {
  const mediaType = content.mediaType.includes("*") ? "text/plain" : content.mediaType;
  if (typeof content.sample === "string" && content.sample.length <= longestText) {
    return { body: { kind: "text", text: content.sample, mediaType }, gaps: [] };
  }
  const message = `Write a body of type ${content.mediaType}`;
  return { body: { kind: "text", text: "", mediaType }, gaps: [{ path: "request.body.text", message }] };
}

function multipartBody(content: MediaTypeContent): { body: RequestBody; gaps: Gap[] } {
  const parts = membersOf(content.sample)
    .slice(0, 200)
    .map(([name, value]) => {
      const row = { name, value: text(value), enabled: true };
      return isFile(content, name) ? { ...row, fileName: `${name.slice(0, 200)}.bin` } : row;
    });
  const gaps = parts.length === 0 ? [{ path: "request.body.parts", message: "Add the parts of the form" }] : [];
  return { body: { kind: "multipart", parts }, gaps };
}

function formBody(content: MediaTypeContent): { body: RequestBody; gaps: Gap[] } {
  const fields = membersOf(content.sample)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => ({ name, value: text(one), enabled: true })),
    )
    .slice(0, 200);
  const gaps = fields.length === 0 ? [{ path: "request.body.fields", message: "Add the fields of the form" }] : [];
  return { body: { kind: "form", fields }, gaps };
}

/** A valid body in the documented content that suits a test best. */
export function suggestBody({ requestBody }: DescribedOperation): { body: RequestBody; gaps: Gap[] } {
  const [content] = [...(requestBody?.content ?? [])].sort((one, other) => rank(one) - rank(other));
  if (!requestBody || !content) return { body: { kind: "none" }, gaps: [] };
  const kinds = [jsonBody, jsonBody, formBody, multipartBody];
  const { body, gaps } = (kinds[rank(content)] ?? textBody)(content);
  // What may be left out is left out rather than sent wrong.
  return gaps.length > 0 && !requestBody.required ? { body: { kind: "none" }, gaps: [] } : { body, gaps };
}
