import type { CollectedRequest, Pair } from "../collection.ts";
import { listEnabled, writePath } from "./address.ts";
import { type Exported, type ExportedFile, Losses, type WriteCollection } from "./exported.ts";
import {
  addOrderLosses,
  listGroups,
  listTexts,
  listUnknownVariables,
  mergeVariables,
  oneAfterTheOther,
} from "./groups.ts";
import { writeAsserts, writeCaptureQuery } from "./hurl/assert.ts";
import { hasValue, toHurlName, writeKey, writeLiteral, writeValue, writeVariable } from "./hurl/text.ts";
import { toOneLine, toSlug } from "./names.ts";
import { listVariables } from "./placeholders.ts";
import { nameAssertion } from "./script/words.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]);

/** A file of requests in order, and one of variables for `--variables-file`. */
export const writeHurl: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const entries = listGroups(collection).flatMap((group) => {
    addOrderLosses(group, losses, {
      parallel: oneAfterTheOther,
      tearDown: "Hurl ends at the first failure: run it with --continue-on-error, so that the tear-down is sent.",
    });
    return group.requests.map(({ request }) => writeEntry(request, losses));
  });
  const name = toSlug(collection.name, "tests");
  const variables = mergeVariables(collection);
  const given = variables.filter(({ secret }) => !secret);
  const missing = [
    ...variables.filter(({ secret }) => secret).map((one) => one.name),
    ...listUnknownVariables(collection),
  ].map(toHurlName);
  const options = missing.map((one) => ` --secret ${one}=…`).join("");
  const text = [
    `# ${toOneLine(collection.name)}`,
    `# hurl --test${given.length > 0 ? ` --variables-file ${name}.env` : ""}${options} ${name}.hurl`,
    "",
    ...entries,
  ].join("\n");
  const files: ExportedFile[] = [{ path: `${name}.hurl`, text }];
  if (given.length > 0) {
    const lines = given.map((one) => `${toHurlName(one.name)}=${toOneLine(writeLiteral(one.value))}`);
    files.push({ path: `${name}.env`, text: `${lines.join("\n")}\n` });
  }
  return { files, losses: losses.list };
};

function writeEntry(request: CollectedRequest, losses: Losses): string {
  const { name } = request;
  for (const variable of listVariables(listTexts(request))) {
    if (!variable.startsWith("$") || hasValue(variable)) continue;
    losses.add(name, `generated value {{${variable}}}`, `Hurl has none: set the variable ${variable.slice(1)}.`);
  }
  const method = methods.has(request.method) ? request.method : "GET";
  if (method !== request.method) losses.add(name, `method ${request.method}`, "Hurl sends the methods of HTTP only.");
  const headers = listEnabled(request.headers).map((one) => ({ name: one.name, value: one.value }));
  const cookies = listEnabled(request.cookies);
  const query = listEnabled(request.query);
  const sections: string[] = [];
  authorize(request, { headers, cookies, query, sections }, losses);
  const body = writeBody(request, headers, sections, losses);
  return [
    `# ${toOneLine(name)}`,
    `${method} ${writePath(request, writeVariable)}`,
    ...headers.map((header) => `${writeKey(header.name)}: ${writeValue(header.value)}`.trimEnd()),
    ...writeSection("Options", writeOptions(request, losses)),
    ...writeSection("QueryStringParams", query.map(writePair)),
    ...writeSection("Cookies", cookies.map(writePair)),
    ...sections,
    ...body,
    ...writeResponse(request, losses),
    "",
  ].join("\n");
}

const writePair = ({ name, value }: Pick<Pair, "name" | "value">) =>
  `${writeKey(name)}: ${writeValue(value)}`.trimEnd();

const writeSection = (name: string, lines: string[]) => (lines.length > 0 ? [`[${name}]`, ...lines] : []);

function writeOptions(
  { followRedirects, retries = 0, retryDelayMilliseconds, waitUntil, ...request }: CollectedRequest,
  losses: Losses,
) {
  if (request.timeoutMilliseconds !== undefined) {
    losses.add(request.name, "time-out", "It is an option of the command line: --max-time.");
  }
  const pause = waitUntil?.everyMilliseconds ?? retryDelayMilliseconds;
  const count = waitUntil ? Math.ceil(waitUntil.atMostMilliseconds / waitUntil.everyMilliseconds) : retries;
  return [
    ...(followRedirects ? ["location: true"] : []),
    ...(count > 0 ? [`retry: ${count}`] : []),
    ...(count > 0 && pause !== undefined ? [`retry-interval: ${Math.round(pause)}ms`] : []),
  ];
}

interface Parts {
  headers: { name: string; value: string }[];
  cookies: Pair[];
  query: Pair[];
  sections: string[];
}

function authorize({ authorization, name: of }: CollectedRequest, parts: Parts, losses: Losses): void {
  switch (authorization.kind) {
    case "basic":
      parts.sections.push("[BasicAuth]", writePair({ name: authorization.user, value: authorization.secret }));
      return;
    case "bearer":
      parts.headers.push({ name: "Authorization", value: `Bearer ${authorization.secret}` });
      return;
    case "apiKey": {
      const { name, secret: value } = authorization;
      if (authorization.in === "header") parts.headers.push({ name, value });
      else (authorization.in === "query" ? parts.query : parts.cookies).push({ name, value, enabled: true });
      return;
    }
    case "oauth2ClientCredentials":
      parts.headers.push({ name: "Authorization", value: "Bearer {{access_token}}" });
      losses.add(of, "access token", "The file has no request for it: set the variable access_token to a token.");
      return;
    case "digest":
      losses.add(of, "digest authentication", "It is an option of the command line: --digest with --user.");
      return;
    case "awsSignatureV4":
      losses.add(of, "AWS signature", "It is an option of the command line: --aws-sigv4 with --user.");
      return;
  }
}

function writeBody(request: CollectedRequest, headers: Parts["headers"], sections: string[], losses: Losses): string[] {
  const { body, bodyFile, name } = request;
  const setType = (value: string) => {
    if (value !== "" && !headers.some((header) => header.name.toLowerCase() === "content-type"))
      headers.push({ name: "Content-Type", value });
  };
  const nameFile = (file: string) => {
    losses.add(name, `file ${file}`, "Its bytes are not in the export: put the file beside this one.");
    return `file,${file.replace(/[\\;#\s]/g, "\\$&")};`;
  };
  if (bodyFile) {
    setType(bodyFile.mediaType);
    return [nameFile(bodyFile.name)];
  }
  switch (body.kind) {
    case "none":
      return [];
    case "json":
    case "text": {
      setType(body.mediaType);
      if (body.text.includes("```")) {
        losses.add(name, "body", "Hurl ends a text at three backticks.");
        return [];
      }
      return [`\`\`\`${body.kind === "json" ? "json" : ""}`, `${writeLiteral(body.text)}\`\`\``];
    }
    case "form":
      sections.push(...writeSection("FormParams", listEnabled(body.fields).map(writePair)));
      return [];
    case "multipart": {
      const lines = listEnabled(body.parts).map((part) => {
        if (part.fromFile) {
          return `${writeKey(part.name)}: ${nameFile(part.fileName ?? part.name)}${part.mediaType ? ` ${part.mediaType}` : ""}`;
        }
        if (part.fileName || part.mediaType) {
          losses.add(name, `head of the part ${part.name}`, "Hurl sends a text without file name and type.");
        }
        return writePair(part);
      });
      sections.push(...writeSection("MultipartFormData", lines));
      return [];
    }
  }
}

function writeResponse(request: CollectedRequest, losses: Losses): string[] {
  const status = request.assertions.find(
    ({ source, comparison, target }) => source === "statusCode" && comparison === "equals" && Number.isInteger(target),
  );
  const asserts = request.assertions.flatMap((assertion) => {
    if (assertion === status) return [];
    const lines = writeAsserts(assertion);
    if (Array.isArray(lines)) return lines;
    losses.add(request.name, `assertion: ${nameAssertion(assertion)}`, lines.reason);
    return [];
  });
  const captures = request.captures.flatMap((capture) => {
    const query = writeCaptureQuery(capture);
    if (typeof query === "string") return [`${toHurlName(capture.name)}: ${query}`];
    losses.add(request.name, `capture ${capture.name}`, query.reason);
    return [];
  });
  return [`HTTP ${status?.target ?? "*"}`, ...writeSection("Captures", captures), ...writeSection("Asserts", asserts)];
}
