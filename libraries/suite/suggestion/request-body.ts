import type {
  DescribedOperation,
  MediaTypeContent,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import type { SuggestedFields, Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { writeIndentedJson } from "#libraries/json/write-json.ts";
import type { SampleField } from "#libraries/openapi/described-content.ts";
import { isFileBody } from "#libraries/openapi/file-body.ts";
import { fileMediaType, formDataType } from "#libraries/openapi/multipart-part.ts";
import { withoutHidden } from "#libraries/openapi/sample/hidden-members.ts";
import { type MadeSample, makeSample, type SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { preferredContent, type SampleBody, sampleBody } from "#libraries/openapi/sample-body.ts";
import { getFileName } from "#libraries/openapi/sample-parts.ts";
import { listObjectMembers } from "#libraries/openapi/schema-parts.ts";
import { toPlain } from "../names.ts";
import { nameInvented, type RunNames } from "./body-members.ts";
import { writePlaceholders } from "./body-placeholders.ts";
import { listDocumentedValues } from "./documented-values.ts";
import { type FindVariable, findNoVariable } from "./needed-value.ts";

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
  /** The body is a file, which only a person can choose. */
  file?: NonNullable<Suggestion["file"]>;
}

type Values = Suggestion["values"];

type DescribedBody = Pick<OperationWithComponents, "operation" | "components" | "specificationVersion">;

/**
 * The required part of the body, or all of it; the document's own example is used whole, without what only the server
 * gives. Optional form fields are included but disabled.
 */
export function suggestBody(
  { operation, components, specificationVersion }: DescribedBody,
  wanted: SuggestedFields,
  findVariable: FindVariable = findNoVariable,
  run?: RunNames,
): SuggestedBody & { leftOut: number; values: Values; sent?: unknown } {
  const { requestBody } = operation;
  const content = requestBody && preferredContent(requestBody.content);
  const nothing = { body: { kind: "none" as const }, gaps: [], values: [] };
  if (!requestBody || !content) return { ...nothing, leftOut: 0 };
  const context = { components, specificationVersion };
  if (isFileBody(content, context)) {
    const isWanted = requestBody.required || wanted === "all";
    return isWanted ? { ...suggestFile(content.mediaType), leftOut: 0, values: [] } : { ...nothing, leftOut: 1 };
  }
  const source = { find: (reference: string) => components[reference] };
  const naming = { operation, source, findVariable, run };
  const whole = getWhole(content, naming);
  const required = wanted === "required" ? getRequired(content, naming) : undefined;
  const isEmpty = required !== undefined && getMembers(required) === 0;
  // What a run makes or changes has to show: it sends what it can where nothing is required.
  const least = run && isEmpty && getMembers(whole) > 0 ? undefined : required;
  // An optional body in which nothing is required is omitted.
  if (!run && isEmpty && !requestBody.required) return { ...nothing, leftOut: getMembers(whole) };
  const suggested = toBody(sampleBody(whole, context), least && sampleBody(least, context));
  // An optional body is omitted rather than sent wrong.
  if (suggested.gaps.length > 0 && !requestBody.required) return { ...nothing, leftOut: 0 };
  const leftOut = least ? Math.max(0, getMembers(whole) - getMembers(least)) : 0;
  const { sample: sent, values } = least ?? whole;
  return { ...suggested, leftOut, values, sent };
}

/** Nothing that could be made up is a valid image or archive. A range of types is sent as bytes without a type. */
function suggestFile(documented: string): SuggestedBody {
  const mediaType = documented.includes("*") || documented.length > 200 ? fileMediaType : documented;
  const message = `The body is a file of type ${documented}: choose one to send`;
  return { body: { kind: "none" }, gaps: [{ path: "request.body.file", message }], file: { mediaType } };
}

interface Naming {
  operation: DescribedOperation;
  source: SampleSource;
  findVariable: FindVariable;
  run: RunNames | undefined;
}

interface NamedContent extends MediaTypeContent {
  values: Values;
}

const getMembers = ({ sample }: MediaTypeContent) => (isRecord(sample) ? Object.keys(sample).length : 0);

/** The content with the document's example, or with a sample of all members. */
function getWhole(content: MediaTypeContent, naming: Naming): NamedContent {
  if (content.schema === undefined) return { ...content, values: [] };
  if (content.examples.length > 0) {
    const value = withoutHidden(joinJson(content.sample, content.sampleJson), content.schema, "request", naming.source);
    return naming.run
      ? named(content, { value, invented: [] }, naming)
      : { ...content, sample: value, sampleJson: undefined, values: [] };
  }
  const made = makeSample(content.schema, "request", naming.source);
  return made ? named(content, made, naming) : { ...content, values: [] };
}

/** The content without its optional parts; undefined when an example determines the body, or when it is no object. */
function getRequired(content: MediaTypeContent, naming: Naming): NamedContent | undefined {
  if (content.examples.length > 0 || content.schema === undefined) return undefined;
  const made = makeSample(content.schema, "request", naming.source, { onlyRequired: true });
  return made && isRecord(made.value)
    ? named(content, withNames(made, content.schema, naming), naming, true)
    : undefined;
}

const nameWords = [/^(name|title|label|subject|displayname|fullname)$/, /^(username|login|email|emailaddress)$/];

/** Servers often want a name, or who it is, of what they make, though their documents require neither. */
function withNames(made: MadeSample, schema: unknown, { source, run }: Naming): MadeSample {
  // Where nothing is required, all of it is sent.
  if (!run?.makes || !isRecord(made.value) || Object.keys(made.value).length === 0) return made;
  const value = { ...made.value };
  const invented = [...made.invented];
  const members = [...listObjectMembers(schema, source)].filter(
    ([, member]) => getSchemaType(member) === "string" && member.readOnly !== true && member.enum === undefined,
  );
  for (const words of nameWords) {
    if (Object.keys(made.value).some((name) => words.test(toPlain(name)))) continue;
    const [name, member] = members.find(([one]) => words.test(toPlain(one))) ?? [];
    const sample = member && makeSample(member, "request", source);
    if (name === undefined || !sample) continue;
    value[name] = sample.value;
    invented.push(...sample.invented.map((one) => ({ ...one, path: [name, ...one.path] })));
  }
  return { ...made, value, invented };
}

function named(content: MediaTypeContent, made: MadeSample, naming: Naming, isRequired = false): NamedContent {
  const { operation, source, findVariable, run } = naming;
  const documented = run ? listDocumentedValues(made.value, content.schema, made.invented, source) : [];
  const isOptional = !isRequired;
  const names = run && { ...run, documented, isOptional };
  const { value, values } = nameInvented(made, operation, source, findVariable, names);
  return { ...content, sample: value, sampleJson: undefined, values };
}

function toBody(sample: SampleBody, least: SampleBody | undefined): SuggestedBody {
  const { kind, mediaType } = sample;
  const needed = least && "fields" in least ? new Set(least.fields.map(({ name }) => name)) : undefined;
  const isOn = (name: string) => needed?.has(name) ?? true;
  switch (kind) {
    case "json": {
      const named = mediaType === "application/json" ? {} : { mediaType };
      const value = least?.kind === "json" ? least.value : sample.value;
      const text = value === undefined ? "" : writePlaceholders(writeIndentedJson(value));
      return text !== "" && text.length <= longestText
        ? { body: { kind, text, ...named }, gaps: [] }
        : withGap(
            { kind, text: "", ...named },
            "request.body.text",
            "No valid body could be generated from the schema. Enter one",
          );
    }
    case "text": {
      const text = writePlaceholders((least?.kind === "text" ? least.text : sample.text) ?? "");
      return text !== "" && text.length <= longestText
        ? { body: { kind, text, mediaType }, gaps: [] }
        : withGap({ kind, text: "", mediaType }, "request.body.text", `Write a body of type ${mediaType}`);
    }
    case "form": {
      const fields = toRows(sample.fields).map(({ name, value }) => ({ name, value, enabled: isOn(name) }));
      const body: RequestBody = { kind, fields };
      return fields.length > 0
        ? { body, gaps: [] }
        : withGap(body, "request.body.fields", "Add the fields of the form");
    }
    case "multipart": {
      const parts = toRows(sample.fields).map(({ file, ...part }) => ({
        ...part,
        enabled: isOn(part.name),
        ...(file ? { fileName: getFileName(part.name) } : {}),
      }));
      const body: RequestBody = { kind, ...(mediaType === formDataType ? {} : { mediaType }), parts };
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
    .map((field) => ({ ...field, value: writePlaceholders(field.value).slice(0, longestValue) }));
}
