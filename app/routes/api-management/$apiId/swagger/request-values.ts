import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { TestRequest } from "#contracts/test-registry/requests.ts";
import type { Json } from "#libraries/json/json.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import { listSchemaTypes } from "#libraries/openapi/parameter-value.ts";
import { type RequestError, readBody, text } from "./request-body";

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
  return plain ? value.join(",") : writeJson(value as Json);
}

export function fieldName({ in: place, name }: Pick<OperationParameter, "in" | "name">): string {
  return `${place}.${name}`;
}

/** The fields of an operation's parameters: required ones are filled with a valid value, others are empty. */
export function requestFields(result: OperationWithComponents): RequestField[] {
  return result.operation.parameters.map((parameter) => {
    const shape = getShape(parameter, result);
    const sample = writeValue(joinJson(parameter.sample, parameter.sampleJson), shape);
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
  const { body, errors } = readBody(result, form);
  faults.push(...errors);
  return {
    errors: faults,
    request: {
      baseUrl: text(form, "baseUrl").trim() || undefined,
      pathParameters: pairs.path,
      query: pairs.query,
      headers: pairs.header,
      cookies: pairs.cookie,
      body,
      authorization: readAuthorization(text(form, "authorization"), result),
      followRedirects: false,
    },
  };
}

/** The operation with the input as its examples; of empty fields only the required ones remain. */
export function typedParameters(result: OperationWithComponents, form: FormData): OperationParameter[] {
  return result.operation.parameters.flatMap((parameter): OperationParameter[] => {
    const typed = text(form, fieldName(parameter));
    // Beside what was typed the document's example counts no more.
    const own = { ...parameter, sampleJson: undefined };
    if (typed === "") return parameter.required ? [{ ...own, sample: undefined }] : [];
    if (parameter.in === "querystring") {
      return [{ ...own, required: true, sample: Object.fromEntries(new URLSearchParams(typed)) }];
    }
    const { value = typed } = readValue(typed, getShape(parameter, result));
    return [{ ...own, required: true, sample: value }];
  });
}

function readValue(typed: string, shape: Shape): { value?: unknown; error?: string } {
  const written = typed.trim();
  if (shape === "text" || (shape === "list" && !written.startsWith("["))) {
    return { value: shape === "list" ? written.split(",").map((item) => item.trim()) : typed };
  }
  try {
    return { value: parseJson(written) };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { error: shape === "list" ? "This JSON array can't be read" : 'Enter a JSON object, e.g. {"a": 1}' };
  }
}

function readAuthorization(chosen: string, { operation }: OperationWithComponents): TestRequest["authorization"] {
  if (chosen === "none" || chosen === "inherit") return { kind: chosen };
  const [credentialId = "", schemeName] = chosen.split(" ", 2);
  if (!/^[0-9a-f-]{36}$/i.test(credentialId)) return { kind: "inherit" };
  const known = operation.security.flat().find((scheme) => scheme.schemeName === schemeName);
  return { kind: "credentials", bindings: [{ schemeName: known?.schemeName ?? "", credentialId }] };
}
