import type {
  DescribedOperation,
  MediaTypeContent,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import type { SuggestedFields } from "#contracts/test-analyzer/suggestions.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { makeSample } from "#libraries/openapi/sample/sampler.ts";
import { preferredContent, type SampleBody, type SampleField, sampleBody } from "#libraries/openapi/sample-body.ts";

export interface Gap {
  path: string;
  message: string;
}

const longestText = 1_048_576;
const longestValue = 100_000;
const longestName = 500;
const maxFields = 200;

interface SuggestedBody {
  body: RequestBody;
  gaps: Gap[];
}

/**
 * The required part of the body, or all of it; the document's own example is used whole. Optional form fields are
 * included but disabled.
 */
export function suggestBody(
  { requestBody }: DescribedOperation,
  components: OperationWithComponents["components"],
  wanted: SuggestedFields,
): SuggestedBody & { leftOut: number } {
  const content = requestBody && preferredContent(requestBody.content);
  if (!requestBody || !content) return { body: { kind: "none" }, gaps: [], leftOut: 0 };
  const least = wanted === "required" ? getRequired(content, components) : undefined;
  const suggested = toBody(sampleBody(content), least && sampleBody(least));
  // An optional body is omitted rather than sent wrong.
  if (suggested.gaps.length > 0 && !requestBody.required) return { body: { kind: "none" }, gaps: [], leftOut: 0 };
  const leftOut = least ? Math.max(0, getMembers(content) - getMembers(least)) : 0;
  return { ...suggested, leftOut };
}

const getMembers = ({ sample }: MediaTypeContent) => (isRecord(sample) ? Object.keys(sample).length : 0);

/**
 * The content without its optional parts; undefined when an example determines the body, or when everything is
 * optional.
 */
function getRequired<Content extends MediaTypeContent>(
  content: Content,
  components: OperationWithComponents["components"],
): Content | undefined {
  if (content.examples.length > 0 || content.schema === undefined) return undefined;
  const source = { find: (reference: string) => components[reference] };
  const made = makeSample(content.schema, "request", source, { onlyRequired: true });
  if (!made || !isRecord(made.value) || Object.keys(made.value).length === 0) return undefined;
  return { ...content, sample: made.value };
}

function toBody(sample: SampleBody, least: SampleBody | undefined): SuggestedBody {
  const { kind, mediaType } = sample;
  const needed = least && "fields" in least ? new Set(least.fields.map(({ name }) => name)) : undefined;
  const isOn = (name: string) => needed?.has(name) ?? true;
  switch (kind) {
    case "json": {
      const named = mediaType === "application/json" ? {} : { mediaType };
      const value = least?.kind === "json" ? least.value : sample.value;
      const text = value === undefined ? "" : JSON.stringify(value, null, 2);
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
      const fields = toRows(sample.fields).map(({ name, value }) => ({ name, value, enabled: isOn(name) }));
      const body: RequestBody = { kind, fields };
      return fields.length > 0
        ? { body, gaps: [] }
        : withGap(body, "request.body.fields", "Add the fields of the form");
    }
    case "multipart": {
      const parts = toRows(sample.fields).map(({ name, value, file }) => ({
        name,
        value,
        enabled: isOn(name),
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

function toRows(fields: SampleField[]): SampleField[] {
  return fields
    .filter(({ name }) => name.length <= longestName)
    .slice(0, maxFields)
    .map((field) => ({ ...field, value: field.value.slice(0, longestValue) }));
}
