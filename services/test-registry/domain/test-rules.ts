import type { FieldError } from "#contracts/kit/problem.ts";
import type { TestRequest } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { findAssertionErrors, findCaptureErrors } from "./assertion-rules.ts";
import { findCookieErrors, findHeaderErrors, findMediaTypeErrors } from "./header-rules.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
const control = /[\u0000-\u001f\u007f]/;
/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const variable = /\{\{[^{}]+\}\}/g;

/** Names in the path template. */
export function pathParameterNames(path: string): string[] {
  return [...path.replace(variable, "").matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
}

function findPathParameterErrors({ name, method, path, tags }: TestInput): FieldError[] {
  const errors: FieldError[] = [];
  if (control.test(name)) errors.push({ path: "name", message: "Remove the control characters" });
  if (!token.test(method)) errors.push({ path: "method", message: "Not an HTTP method" });
  if (control.test(path)) errors.push({ path: "path", message: "Remove the control characters" });
  const [inPath] = path.match(variable) ?? [];
  if (inPath !== undefined) {
    const name = inPath.slice(2, -2).trim();
    errors.push({
      path: "path",
      message: `A path has no variables. Write {${name}} instead and give the path parameter ${name} the value {{${name}}}`,
    });
  }
  tags.forEach((tag, index) => {
    if (control.test(tag)) errors.push({ path: `tags[${index}]`, message: "Remove the control characters" });
  });
  return errors;
}

function findUrlErrors(baseUrl: string | undefined): FieldError[] {
  if (!baseUrl) return [];
  const filled = baseUrl.replace(variable, "variable");
  const readable = URL.canParse(filled) || (filled !== baseUrl && URL.canParse(`http://${filled}`));
  const web = /^https?:/i.test(filled) || baseUrl.trimStart().startsWith("{{");
  if (readable && web && !control.test(baseUrl)) return [];
  return [{ path: "request.baseUrl", message: "Enter a full URL, e.g. https://api.example.com/v1" }];
}

function findBodyErrors(request: TestRequest): FieldError[] {
  const { body } = request;
  if (body.kind === "json" || body.kind === "text" || body.kind === "file") {
    return findMediaTypeErrors(body.mediaType, "request.body.mediaType");
  }
  if (body.kind !== "multipart") return [];
  return body.parts.flatMap((part, index) => {
    const path = `request.body.parts[${index}]`;
    const errors = findMediaTypeErrors(part.mediaType, `${path}.mediaType`);
    if (control.test(part.name)) errors.push({ path: `${path}.name`, message: "Remove the line break" });
    part.headers?.forEach((header, at) => {
      const field = `${path}.headers[${at}]`;
      if (!token.test(header.name)) errors.push({ path: `${field}.name`, message: "Not a header name" });
      if (control.test(header.value)) errors.push({ path: `${field}.value`, message: "Remove the line break" });
    });
    if (control.test(part.fileName ?? "")) errors.push({ path: `${path}.fileName`, message: "Remove the line break" });
    return errors;
  });
}

/** A request has no URL without a value for each path parameter. */
function findMissingPathParameters({ path, request, enabled }: TestInput): FieldError[] {
  if (!enabled) return [];
  return pathParameterNames(path).flatMap((name) => {
    const index = request.pathParameters.findIndex((row) => row.enabled && row.name === name);
    if (index < 0) return [{ path: "request.pathParameters", message: `Enter a value for the path parameter ${name}` }];
    if (request.pathParameters[index]?.value !== "") return [];
    return [
      { path: `request.pathParameters[${index}].value`, message: `Enter a value for the path parameter ${name}` },
    ];
  });
}

function findCheckErrors(test: TestInput): FieldError[] {
  const errors: FieldError[] = [];
  if (test.enabled && test.assertions.length === 0 && test.checks.length === 0) {
    errors.push({
      path: "enabled",
      message: "Add an assertion or a check, or save the test disabled: without one it would always pass",
    });
  }
  if (test.checks.includes("max_response_time") && test.maximumResponseMilliseconds === undefined) {
    errors.push({ path: "maximumResponseMilliseconds", message: "Say how many milliseconds are allowed" });
  }
  return errors;
}

function findWaitErrors({ waitUntil, retry }: TestInput): FieldError[] {
  if (!waitUntil) return [];
  const errors: FieldError[] = [];
  if (waitUntil.everySeconds > waitUntil.atMostSeconds) {
    errors.push({ path: "waitUntil.everySeconds", message: "Not longer than the longest wait" });
  }
  if (retry.attempts > 1) {
    errors.push({ path: "retry.attempts", message: "A test that waits is not retried: set 1 attempt, or do not wait" });
  }
  return errors;
}

/** All errors that prevent a test from being saved, by field; empty if there are none. */
export function findTestErrors(test: TestInput): FieldError[] {
  const { request } = test;
  return [
    ...findPathParameterErrors(test),
    ...findUrlErrors(request.baseUrl),
    ...findMissingPathParameters(test),
    ...findHeaderErrors(request.headers, "request.headers"),
    ...findCookieErrors(request.cookies, "request.cookies"),
    ...findBodyErrors(request),
    ...findAssertionErrors(test.assertions),
    ...findCaptureErrors(test.captures),
    ...findCheckErrors(test),
    ...findWaitErrors(test),
  ];
}
