import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { SampleRequest } from "#libraries/code-samples/sample-request.ts";
import { formDataType } from "#libraries/openapi/multipart-part.ts";
import { type CodeSample, codeSamples } from "~/features/code-samples/code-samples";
import { sampleRequest } from "~/features/code-samples/sample-request";
import { readBody, text } from "./request-body";
import { typedParameters } from "./request-values";

/** The code of the request in the form; missing values are visible as missing in the code. */
export function typedSamples(result: OperationWithComponents, form: FormData): CodeSample[] {
  const { operation, components, securitySchemes } = result;
  const security = text(form, "authorization") === "none" ? [] : operation.security;
  const typed = { ...operation, security, parameters: typedParameters(result, form) };
  const baseUrl = text(form, "baseUrl").trim() || null;
  const body = typedBody(result, form);
  return codeSamples(sampleRequest(typed, { baseUrl, securitySchemes, components, body, isTyped: true }));
}

function typedBody(result: OperationWithComponents, form: FormData): SampleRequest["body"] | null {
  const { body, errors } = readBody(result, form);
  if (errors.some(({ field }) => field === "body")) return null;
  switch (body.kind) {
    case "json":
      return jsonBody(body.text, body.mediaType ?? "application/json");
    case "text":
      return { kind: "text", mediaType: body.mediaType, text: body.text };
    case "form": {
      const fields = body.fields.map(({ name, value }) => ({ name, value, file: false }));
      return { kind: "form", mediaType: "application/x-www-form-urlencoded", fields };
    }
    case "multipart": {
      const fields = body.parts.map(({ fileName, enabled: _, file, ...part }) => ({
        ...part,
        file: Boolean(file ?? fileName),
        ...(file ? { chosenFile: file.name } : {}),
      }));
      return { kind: "multipart", mediaType: body.mediaType ?? formDataType, fields };
    }
    case "file":
      return { kind: "file", mediaType: body.mediaType, chosenFile: body.file.name };
    default:
      return null;
  }
}

/** Sent as typed. Only JSON that a language writes back alike can be shown as a value of it. */
function jsonBody(typed: string, mediaType: string): SampleRequest["body"] {
  try {
    const value: unknown = JSON.parse(typed);
    if (JSON.stringify(value, null, 2) === typed) return { kind: "json", mediaType, value };
  } catch {
    // While it is typed it is often invalid.
  }
  return { kind: "text", mediaType, text: typed };
}
