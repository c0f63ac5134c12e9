import type { CollectedRequest } from "../collection.ts";
import { listEnabled, listHeaders, writeAddress } from "./address.ts";
import { type Exported, Losses, type WriteCollection } from "./exported.ts";
import {
  addOrderLosses,
  listCapturedNames,
  listGroups,
  listUnknownVariables,
  mergeVariables,
  oneAfterTheOther,
} from "./groups.ts";
import { createUniqueNames, toOneLine, toSlug } from "./names.ts";
import { rewrite } from "./placeholders.ts";
import { addPlainCredential } from "./plain-credential.ts";
import { writeCapture } from "./script/capture-code.ts";
import { type ScriptReader, writeCondition } from "./script/condition.ts";
import { defineHelpers } from "./script/script-functions.ts";
import { nameAssertion } from "./script/words.ts";

const notInFile = "Its bytes are not in the export: put the file beside this one.";

const writeVariable = (name: string) => (name === "$guid" ? "{{$uuid}}" : `{{${name}}}`);
const write = (text: string) => rewrite(text, writeVariable);

/** A file of requests, with response handlers as the HTTP client of JetBrains runs them; other editors ignore these. */
export const writeHttpFile: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const captured = listCapturedNames(collection);
  const reader: ScriptReader = {
    status: "response.status",
    json: "response.body",
    header: (name) => `response.headers.valueOf(${JSON.stringify(name)})`,
    variable: (name) =>
      captured.has(name)
        ? `client.global.get(${JSON.stringify(name)})`
        : `request.variables.get(${JSON.stringify(name)})`,
    isCaptured: (name) => captured.has(name),
  };
  const nameOnce = createUniqueNames();
  const requests = listGroups(collection).flatMap((group) => {
    addOrderLosses(group, losses, {
      stop: "All requests of a file run, also after a failure.",
      parallel: oneAfterTheOther,
    });
    return group.requests.map(({ request }) =>
      writeRequest(request, nameOnce(toSlug(request.name, "request")), reader, losses),
    );
  });
  const variables = [
    ...mergeVariables(collection),
    ...listUnknownVariables(collection).map((name) => ({ name, value: "", secret: false })),
  ];
  const text = [
    `# ${toOneLine(collection.name)}`,
    ...variables.map(({ name, value, secret }) => `@${name} = ${secret ? "" : toOneLine(write(value))}`.trimEnd()),
    "",
    ...requests,
  ].join("\n");
  return { files: [{ path: `${toSlug(collection.name, "requests")}.http`, text }], losses: losses.list };
};

function writeRequest(request: CollectedRequest, name: string, reader: ScriptReader, losses: Losses): string {
  if (request.waitUntil) losses.add(request.name, "wait", "The file sends a request once.");
  if ((request.retries ?? 0) > 0) losses.add(request.name, "retries", "The file sends a request once.");
  const query = listEnabled(request.query);
  const headers = listHeaders(request);
  authorize(request, headers, query, losses);
  const body = writeBody(request, headers, losses);
  const handler = writeHandler(request, reader, losses);
  return [
    `### ${toOneLine(request.name)}`,
    `# @name ${name}`,
    ...(request.followRedirects ? [] : ["# @no-redirect"]),
    ...(request.timeoutMilliseconds === undefined
      ? []
      : [`# @timeout ${Math.ceil(request.timeoutMilliseconds / 1_000)}`]),
    `${request.method} ${writeAddress({ ...request, query }, writeVariable)}`,
    ...headers.map((header) => `${header.name}: ${toOneLine(write(header.value))}`.trimEnd()),
    "",
    ...body,
    ...handler,
    "",
  ].join("\n");
}

function authorize(
  { authorization, name: of }: CollectedRequest,
  headers: { name: string; value: string }[],
  query: { name: string; value: string; enabled: boolean }[],
  losses: Losses,
): void {
  if (addPlainCredential(authorization, { headers, query })) return;
  switch (authorization.kind) {
    case "basic":
    case "digest": {
      const scheme = authorization.kind === "basic" ? "Basic" : "Digest";
      headers.push({ name: "Authorization", value: `${scheme} ${authorization.user} ${authorization.secret}` });
      return;
    }
    case "oauth2ClientCredentials":
      headers.push({ name: "Authorization", value: "Bearer {{access_token}}" });
      losses.add(of, "access token", "The file has no request for it: give the variable access_token a token.");
      return;
    case "awsSignatureV4":
      losses.add(of, "AWS signature", "Files of requests can't sign.");
      return;
  }
}

function writeBody(
  { body, bodyFile, name }: CollectedRequest,
  headers: { name: string; value: string }[],
  losses: Losses,
): string[] {
  const setType = (value: string) => {
    if (!headers.some((header) => header.name.toLowerCase() === "content-type"))
      headers.push({ name: "Content-Type", value });
  };
  if (bodyFile) {
    losses.add(name, `file ${bodyFile.name}`, notInFile);
    return [`< ./${bodyFile.name}`, ""];
  }
  switch (body.kind) {
    case "none":
      return [];
    case "json":
    case "text":
      if (/^(###|> |< )/m.test(body.text)) {
        losses.add(name, "body", "A line of it begins like an instruction of the file: ###, < or >.");
      }
      return [write(body.text), ""];
    case "form": {
      setType("application/x-www-form-urlencoded");
      const encode = (text: string) => rewrite(text, writeVariable, encodeURIComponent);
      return [
        listEnabled(body.fields)
          .map((field) => `${encode(field.name)}=${encode(field.value)}`)
          .join("&"),
        "",
      ];
    }
    case "multipart": {
      setType("multipart/form-data; boundary=part-boundary");
      const parts = listEnabled(body.parts).flatMap((part) => {
        const fileName = part.fileName ?? (part.fromFile ? part.name : undefined);
        if (part.fromFile) losses.add(name, `file ${fileName}`, notInFile);
        return [
          "--part-boundary",
          `Content-Disposition: form-data; name="${part.name}"${fileName ? `; filename="${fileName}"` : ""}`,
          ...(part.mediaType ? [`Content-Type: ${part.mediaType}`] : []),
          "",
          part.fromFile ? `< ./${fileName}` : write(part.value),
        ];
      });
      return [...parts, "--part-boundary--", ""];
    }
  }
}

function writeHandler(request: CollectedRequest, reader: ScriptReader, losses: Losses): string[] {
  const tests = request.assertions.flatMap((assertion) => {
    const title = nameAssertion(assertion);
    const written = writeCondition(assertion, reader);
    if ("reason" in written) {
      losses.add(request.name, `assertion: ${title}`, written.reason);
      return [];
    }
    return [
      `client.test(${JSON.stringify(title)}, function () {`,
      `  client.assert(${written.code}, ${JSON.stringify(title)});`,
      "});",
    ];
  });
  const captures = request.captures.flatMap((capture) => {
    const written = writeCapture(capture, reader);
    if ("reason" in written) {
      losses.add(request.name, `capture ${capture.name}`, written.reason);
      return [];
    }
    return [`client.global.set(${JSON.stringify(capture.name)}, ${written.code});`];
  });
  const lines = [...tests, ...captures];
  if (lines.length === 0) return [];
  // A handler ends at the first %}, also in a text.
  const code = [...defineHelpers(lines), ...lines].map((line) => line.replaceAll("%}", "%\\u007d"));
  return ["> {%", ...code, "%}", ""];
}
