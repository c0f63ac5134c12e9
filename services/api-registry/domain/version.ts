import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { type Diagnostics, quoted, refuse } from "./diagnostics.ts";
import type { ParsedFile } from "./text/parsed-file.ts";

/**
 * The version of the standard a document is written in.
 * @throws UnusableDocument when it names no known version, with what it appears to be instead
 */
export function requireVersion(file: ParsedFile, diagnostics: Diagnostics): SpecificationVersion {
  const { value } = file;
  if (!isRecord(value)) {
    const kind = Array.isArray(value) ? "a list" : value === null ? "empty" : "a single value";
    return refuse(
      `This is not an OpenAPI document: it is ${kind}, where an object with "openapi" or "swagger" is expected.`,
    );
  }
  if (value.openapi !== undefined) return openapiVersion(value.openapi, file, diagnostics);
  if (value.swagger !== undefined) return swaggerVersion(value.swagger, file, diagnostics);
  return refuse(describeStranger(value));
}

function openapiVersion(value: unknown, file: ParsedFile, diagnostics: Diagnostics): SpecificationVersion {
  const location = { file: "", pointer: "/openapi" };
  const written = typeof value === "number" ? (file.writtenAs("/openapi") ?? String(value)) : value;
  if (typeof written !== "string") return refuse(`"openapi" has to be a text like "3.1.0".`, location);
  const known = /^3\.([012])(\.\d+)?(-.*)?$/.exec(written.trim()) ?? (written.trim() === "3" ? ["3", "0", ".0"] : null);
  if (!known) {
    const older = /^2(\.|$)/.test(written) ? ` Version 2.0 is declared as swagger: "2.0".` : "";
    return refuse(
      `OpenAPI ${quoted(written)} is not known here; 3.0, 3.1 and 3.2 are, and Swagger 2.0.${older}`,
      location,
    );
  }
  const version = `3.${known[1]}` as SpecificationVersion;
  if (typeof value === "number")
    diagnostics.error(location, `The version is a number here; put it in quotes: openapi: "${version}.0".`);
  else if (!known[2]) diagnostics.warn(location, `The version lacks its third part; write "${version}.0".`);
  return version;
}

function swaggerVersion(value: unknown, file: ParsedFile, diagnostics: Diagnostics): SpecificationVersion {
  const location = { file: "", pointer: "/swagger" };
  const written = typeof value === "number" ? (file.writtenAs("/swagger") ?? String(value)) : value;
  if (typeof written === "string" && /^2(\.0)?(\.0)?$/.test(written.trim())) {
    if (value !== "2.0")
      diagnostics.error(location, `The version has to be the text "2.0", in quotes: swagger: "2.0".`);
    return "2.0";
  }
  const hint = /^3/.test(String(written))
    ? `There is no Swagger ${String(written)}: from version 3 on the field is called "openapi". Write openapi: "3.0.3" instead.`
    : `Swagger ${quoted(String(written))} is not known here; 2.0 is, and OpenAPI 3.0, 3.1 and 3.2. Convert the document to one of them.`;
  return refuse(hint, location);
}

function describeStranger(value: Record<string, unknown>): string {
  const add = `Add the version at the top, e.g. openapi: "3.1.0".`;
  if (value.asyncapi !== undefined) return "This is an AsyncAPI document; OpenAPI documents describe HTTP APIs.";
  if (value.swaggerVersion !== undefined) return "This is a Swagger 1.x document. Convert it to OpenAPI 3 first.";
  if (isRecord(value.info) && String(value.info.schema ?? "").includes("getpostman.com")) {
    return "This is a Postman collection. Export or convert it to OpenAPI first.";
  }
  if (value.arazzo !== undefined || value.overlay !== undefined) {
    return "This is an Arazzo or Overlay document. Enter the OpenAPI document it refers to.";
  }
  if (value.paths !== undefined || value.components !== undefined || value.definitions !== undefined) {
    return `This is a part of an OpenAPI document: neither "openapi" nor "swagger" says its version. ${add}`;
  }
  if (value.$schema !== undefined || value.properties !== undefined) {
    return `This looks like a JSON Schema, not an OpenAPI document: there is neither "openapi" nor "swagger".`;
  }
  return `This is not an OpenAPI document: there is neither "openapi" nor "swagger" at the top. ${add}`;
}
