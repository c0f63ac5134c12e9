import type {
  MediaTypeContent,
  OperationParameter,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import type { BodyPart, Pair, RequestBody, TestRequest } from "#contracts/test-registry/requests.ts";
import type { SampleField } from "#libraries/openapi/described-content.ts";
import { formDataType } from "#libraries/openapi/multipart-part.ts";
import { toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import { listSchemaTypes } from "#libraries/openapi/parameter-value.ts";
import { preferredContent, sampleBody } from "#libraries/openapi/sample-body.ts";
import { getFileName } from "#libraries/openapi/sample-parts.ts";

/** One field of the form that sends a request. */
export interface RequestField {
  /** `query.limit`: the location and the parameter's name. */
  name: string;
  label: string;
  location: OperationParameter["in"];
  required: boolean;
  value: string;
  /** A placeholder for an empty field. */
  placeholder: string;
  hint?: string;
}

export interface RequestBodyField {
  mediaTypes: string[];
  mediaType: string;
  text: string;
  required: boolean;
}

type Shape = "list" | "object" | "text";

function getShape(parameter: OperationParameter, { components }: OperationWithComponents): Shape {
  if (parameter.contentMediaType !== undefined) return "text";
  const types = listSchemaTypes(parameter.schema, components);
  if (types.includes("array")) return "list";
  return types.includes("object") ? "object" : "text";
}

const hints: Partial<Record<Shape, string>> = {
  list: "Several values separated by commas, or a JSON array.",
  object: "A JSON object.",
};

function writeValue(value: unknown, shape: Shape): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  const plain = shape === "list" && Array.isArray(value) && value.every((item) => /^[^,[\]"]+$/.test(String(item)));
  return plain ? value.join(",") : JSON.stringify(value);
}

export function fieldName({ in: place, name }: Pick<OperationParameter, "in" | "name">): string {
  return `${place}.${name}`;
}

/** The fields of an operation's parameters: required ones are filled with a valid value, others are empty. */
export function requestFields(result: OperationWithComponents): RequestField[] {
  return result.operation.parameters.map((parameter) => {
    const shape = getShape(parameter, result);
    const sample = writeValue(parameter.sample, shape);
    return {
      name: fieldName(parameter),
      label: parameter.name,
      location: parameter.in,
      required: parameter.required,
      value: parameter.required ? sample : "",
      placeholder: parameter.required ? "" : sample,
      hint: hints[shape],
    };
  });
}

/** @param picked the body to fill it with; by default the one that is easiest to send */
export function requestBodyField(
  result: OperationWithComponents,
  picked?: MediaTypeContent,
): RequestBodyField | undefined {
  const { requestBody } = result.operation;
  const content = requestBody && (picked ?? preferredContent(requestBody.content));
  if (!requestBody || !content) return undefined;
  return {
    mediaTypes: requestBody.content.map(({ mediaType }) => mediaType),
    mediaType: content.mediaType,
    text: requestBody.required || content.sample !== undefined ? bodyText(content, result) : "",
    required: requestBody.required,
  };
}

function bodyText(content: MediaTypeContent, result: OperationWithComponents): string {
  const body = sampleBody(content, result);
  switch (body.kind) {
    case "json":
      return JSON.stringify(body.value, null, 2) ?? "";
    case "text":
      return body.text ?? "";
    default:
      return body.fields.map(({ name, value }) => `${name}=${value.replace(/\s*\n\s*/g, " ")}`).join("\n");
  }
}

export interface RequestError {
  field: string;
  message: string;
}

/** Converts the sent form to a request; empty optional fields are left out. */
export function readRequest(
  result: OperationWithComponents,
  form: FormData,
): { request: TestRequest; errors: RequestError[] } {
  const faults: RequestError[] = [];
  const pairs: Record<"path" | "query" | "header" | "cookie", TestRequest["query"]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
  };
  for (const parameter of result.operation.parameters) {
    const field = fieldName(parameter);
    const typed = text(form, field);
    if (typed === "") {
      if (parameter.required) faults.push({ field, message: `Enter ${parameter.name}` });
      continue;
    }
    if (parameter.in === "querystring") {
      pairs.query.push(...[...new URLSearchParams(typed)].map(([name, value]) => ({ name, value, enabled: true })));
      continue;
    }
    const read = readValue(typed, getShape(parameter, result));
    if (read.error) faults.push({ field, message: read.error });
    else {
      const rows = toParameterRows(parameter, read.value, result.components).map((row) => ({ ...row, enabled: true }));
      pairs[parameter.in].push(...rows);
    }
  }
  const body = readBody(result, form);
  if (typeof body === "string") faults.push({ field: "body", message: body });
  return {
    errors: faults,
    request: {
      baseUrl: text(form, "baseUrl").trim() || undefined,
      pathParameters: pairs.path,
      query: pairs.query,
      headers: pairs.header,
      cookies: pairs.cookie,
      body: typeof body === "string" ? { kind: "none" } : body,
      authorization: readAuthorization(text(form, "authorization"), result),
      followRedirects: false,
    },
  };
}

/** The operation with the input as its examples; of empty fields only the required ones remain. */
export function typedParameters(result: OperationWithComponents, form: FormData): OperationParameter[] {
  return result.operation.parameters.flatMap((parameter): OperationParameter[] => {
    const typed = text(form, fieldName(parameter));
    if (typed === "") return parameter.required ? [{ ...parameter, sample: undefined }] : [];
    if (parameter.in === "querystring") {
      return [{ ...parameter, required: true, sample: Object.fromEntries(new URLSearchParams(typed)) }];
    }
    const { value = typed } = readValue(typed, getShape(parameter, result));
    return [{ ...parameter, required: true, sample: value }];
  });
}

export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replace(/\r\n/g, "\n") : "";
}

function readValue(typed: string, shape: Shape): { value?: unknown; error?: string } {
  const written = typed.trim();
  if (shape === "text" || (shape === "list" && !written.startsWith("["))) {
    return { value: shape === "list" ? written.split(",").map((item) => item.trim()) : typed };
  }
  try {
    return { value: JSON.parse(written) };
  } catch {
    return { error: shape === "list" ? "This JSON array can't be read" : 'Write a JSON object, as in {"a": 1}' };
  }
}

export function readBody(result: OperationWithComponents, form: FormData): RequestBody | string {
  const { operation } = result;
  const typed = text(form, "body");
  if (!operation.requestBody) return { kind: "none" };
  if (typed.trim() === "") return operation.requestBody.required ? "Write the body" : { kind: "none" };
  const mediaTypes = operation.requestBody.content.map(({ mediaType }) => mediaType);
  const chosen = text(form, "mediaType");
  const mediaType = mediaTypes.includes(chosen) ? chosen : (mediaTypes[0] ?? "application/json");
  const content = operation.requestBody.content.find((candidate) => candidate.mediaType === mediaType);
  if (/[/+]json\b/i.test(mediaType)) return { kind: "json", text: typed, mediaType };
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return { kind: "form", fields: readLines(typed) };
  if (/^multipart\//i.test(mediaType)) {
    const known = content && sampleBody(content, result);
    const fields = known?.kind === "multipart" ? known.fields : [];
    return {
      kind: "multipart",
      ...(mediaType === formDataType ? {} : { mediaType: known?.mediaType }),
      parts: readLines(typed).map((pair) => describePart(pair, fields)),
    };
  }
  return { kind: "text", text: typed, mediaType };
}

/** A typed part has the head that the document gives it. */
function describePart(pair: Pair, fields: readonly SampleField[]): BodyPart {
  const known = fields.find(({ name }) => name === pair.name);
  const { mediaType, headers } = known ?? {};
  return { ...pair, mediaType, headers, ...(known?.file ? { fileName: getFileName(pair.name) } : {}) };
}

function readLines(typed: string) {
  return typed.split("\n").flatMap((line) => {
    const [, name, value = ""] = /^\s*([^=]+?)\s*=(.*)$/.exec(line) ?? [];
    return name ? [{ name, value, enabled: true }] : [];
  });
}

function readAuthorization(chosen: string, { operation }: OperationWithComponents): TestRequest["authorization"] {
  if (chosen === "none" || chosen === "inherit") return { kind: chosen };
  const [credentialId = "", schemeName] = chosen.split(" ", 2);
  if (!/^[0-9a-f-]{36}$/i.test(credentialId)) return { kind: "inherit" };
  const known = operation.security.flat().find((scheme) => scheme.schemeName === schemeName);
  return { kind: "credentials", bindings: [{ schemeName: known?.schemeName ?? "", credentialId }] };
}
