import type { DescribedOperation } from "../../../api-registry/contract/operations.ts";
import { preferredContent, type SampleField, sampleBody } from "../../../kit/openapi/sample-body.ts";
import type { RequestBody } from "../../../test-registry/contract/requests.ts";

export interface Gap {
  path: string;
  message: string;
}

const longestText = 1_048_576;
const longestValue = 100_000;
const longestName = 500;
const mostFields = 200;

interface SuggestedBody {
  body: RequestBody;
  gaps: Gap[];
}

export function suggestBody({ requestBody }: DescribedOperation): SuggestedBody {
  const content = requestBody && preferredContent(requestBody.content);
  if (!requestBody || !content) return { body: { kind: "none" }, gaps: [] };
  const suggested = bodyOf(sampleBody(content));
  // What may be left out is left out rather than sent wrong.
  return suggested.gaps.length > 0 && !requestBody.required ? { body: { kind: "none" }, gaps: [] } : suggested;
}

function bodyOf(sample: ReturnType<typeof sampleBody>): SuggestedBody {
  const { kind, mediaType } = sample;
  switch (kind) {
    case "json": {
      const named = mediaType === "application/json" ? {} : { mediaType };
      const text = sample.value === undefined ? "" : JSON.stringify(sample.value, null, 2);
      return text !== "" && text.length <= longestText
        ? { body: { kind, text, ...named }, gaps: [] }
        : withGap(
            { kind, text: "", ...named },
            "request.body.text",
            "No valid body could be made from the schema; write one",
          );
    }
    case "text":
      return sample.text !== undefined && sample.text.length <= longestText
        ? { body: { kind, text: sample.text, mediaType }, gaps: [] }
        : withGap({ kind, text: "", mediaType }, "request.body.text", `Write a body of type ${mediaType}`);
    case "form": {
      const fields = rowsOf(sample.fields).map(({ name, value }) => ({ name, value, enabled: true }));
      const body: RequestBody = { kind, fields };
      return fields.length > 0
        ? { body, gaps: [] }
        : withGap(body, "request.body.fields", "Add the fields of the form");
    }
    case "multipart": {
      const parts = rowsOf(sample.fields).map(({ name, value, file }) => ({
        name,
        value,
        enabled: true,
        ...(file ? { fileName: `${name.slice(0, 200)}.bin` } : {}),
      }));
      const body: RequestBody = { kind, parts };
      return parts.length > 0 ? { body, gaps: [] } : withGap(body, "request.body.parts", "Add the parts of the form");
    }
  }
}

function withGap(body: RequestBody, path: string, message: string): SuggestedBody {
  return { body, gaps: [{ path, message }] };
}

function rowsOf(fields: SampleField[]): SampleField[] {
  return fields
    .filter(({ name }) => name.length <= longestName)
    .slice(0, mostFields)
    .map((field) => ({ ...field, value: field.value.slice(0, longestValue) }));
}
