import type { Pair, ReadUntil, RequestBody } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { notChosen } from "~/features/locations/location-field";
import { writeFileReference } from "~/features/request-files/file-reference";
import { writeDataRows } from "./data-rows.ts";
import { writePartHeaders } from "./part-headers.ts";
import { writeTags } from "./tags.ts";
import { writeTarget } from "./target.ts";
import type { BodyValues, PairRow, TestFormValues } from "./test-form-values.ts";

/** Fills the form from a test. `testOfValues` is the inverse. */
export function valuesOfTest(test: TestInput): TestFormValues {
  const { request } = test;
  return {
    name: test.name,
    enabled: test.enabled,
    tags: writeTags(test.tags),
    request: {
      baseUrl: request.baseUrl ?? "",
      pathParameters: pathParameterRows(test.path, request.pathParameters),
      query: request.query.map(rowOf),
      headers: request.headers.map(rowOf),
      cookies: request.cookies.map(rowOf),
      body: bodyValues(request.body),
      authorization: {
        kind: request.authorization.kind,
        bindings: request.authorization.kind === "credentials" ? request.authorization.bindings : [],
      },
      followRedirects: request.followRedirects,
      readUntil: readUntilValues(request.readUntil),
    },
    assertions: test.assertions.map((assertion) => {
      const { source, property = "", comparison, variableType } = assertion;
      const target = joinJson(assertion.target, assertion.targetJson);
      const written = writeTarget(target, { source, comparison }, variableType);
      return { source, property, comparison, target: written.text, targetType: written.type };
    }),
    checks: test.checks,
    maximumResponseMilliseconds: textOf(test.maximumResponseMilliseconds),
    captures: test.captures.map(({ name, source, property = "", pattern = "", secret, optional = false }) => ({
      ...{ name, source, property, pattern, optional },
      secret: secret === undefined ? "byName" : secret ? "always" : "never",
    })),
    data: writeDataRows(test.data),
    retry: {
      attempts: textOf(test.retry.attempts),
      backoff: test.retry.backoff,
      delayMilliseconds: textOf(test.retry.delayMilliseconds),
    },
    waitUntil: {
      everySeconds: textOf(test.waitUntil?.everySeconds),
      atMostSeconds: textOf(test.waitUntil?.atMostSeconds),
    },
    timeoutMilliseconds: textOf(test.timeoutMilliseconds),
    locationId: test.locationId ?? notChosen,
  };
}

/** Names in braces in a path template, each once and in order; `{{variables}}` are excluded. */
export function templateNames(path: string): string[] {
  const names = [...path.replace(/\{\{[^{}]+\}\}/g, "").matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  return [...new Set(names)];
}

/** A row for every parameter of the path, in order; then the test's other parameters. */
function pathParameterRows(path: string, pairs: readonly Pair[]): PairRow[] {
  const names = templateNames(path);
  const missing = names.filter((name) => !pairs.some((pair) => pair.name === name));
  const rank = ({ name }: Pair) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...pairs.map(rowOf), ...missing.map((name) => ({ name, value: "", enabled: true }))].sort(
    (one, other) => rank(one) - rank(other),
  );
}

function rowOf({ name, value, enabled }: Pair): PairRow {
  return { name, value, enabled };
}

export const emptyBody: BodyValues = {
  kind: "none",
  json: "",
  jsonMediaType: "",
  text: "",
  textMediaType: "text/plain",
  fields: [],
  multipartType: "",
  parts: [],
  file: "",
  upload: "",
  fileMediaType: "application/octet-stream",
};

function bodyValues(body: RequestBody): BodyValues {
  switch (body.kind) {
    case "none":
      return emptyBody;
    case "json":
      return { ...emptyBody, kind: "json", json: body.text, jsonMediaType: body.mediaType ?? "" };
    case "text":
      return { ...emptyBody, kind: "text", text: body.text, textMediaType: body.mediaType };
    case "form":
      return { ...emptyBody, kind: "form", fields: body.fields.map(rowOf) };
    case "multipart":
      return {
        ...emptyBody,
        kind: "multipart",
        multipartType: body.mediaType ?? "",
        parts: body.parts.map((part) => ({
          ...rowOf(part),
          fileName: part.fileName ?? "",
          mediaType: part.mediaType ?? "",
          headers: writePartHeaders(part.headers),
          file: writeFileReference(part.file),
          upload: "",
          withoutFile: false,
        })),
      };
    case "file":
      return { ...emptyBody, kind: "file", file: writeFileReference(body.file), fileMediaType: body.mediaType };
  }
}

function readUntilValues(readUntil: ReadUntil | undefined) {
  if (!readUntil) return { kind: "end", limit: "" };
  return { kind: readUntil.kind, limit: textOf(readUntil.kind === "items" ? readUntil.count : readUntil.seconds) };
}

function textOf(number: number | undefined): string {
  return number === undefined ? "" : String(number);
}
