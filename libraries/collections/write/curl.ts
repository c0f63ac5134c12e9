import { curl } from "../../code-samples/curl.ts";
import type { SampleRequest } from "../../code-samples/sample-request.ts";
import type { CollectedRequest, Collection, Variable } from "../collection.ts";
import { listEnabled, listHeaders, writeAddress } from "./address.ts";
import { type Exported, Losses, type WriteCollection } from "./exported.ts";
import { listCapturedNames, listGroups, listTexts, listUnknownVariables, mergeVariables } from "./groups.ts";
import { toOneLine, toSlug } from "./names.ts";
import { listVariables, rewrite } from "./placeholders.ts";

/** Commands for values that are generated for each request. */
const generated: Record<string, string> = {
  $uuid: "$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)",
  $guid: "$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)",
  $timestamp: "$(date +%s)",
  $isoTimestamp: "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  $randomInt: "$(awk 'BEGIN { srand(); print int(rand() * 1001) }')",
};

const toShellName = (name: string) => name.replace(/\W/g, "_");
const shellVariable = (name: string) => generated[name] ?? `$${toShellName(name)}`;

/** A shell script with one command per request. */
export const writeCurl: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const commands = listGroups(collection).flatMap(({ sequence, requests }) => {
    if (sequence?.cookies) losses.add(sequence.name, "cookies", "Add curl's -b and -c with a file for them.");
    return requests.map(({ request }) => writeCommand(request, losses));
  });
  const text = ["#!/bin/sh", `# ${toOneLine(collection.name)}`, ...writeVariables(collection), "", commands.join("\n")];
  return { files: [{ path: `${toSlug(collection.name, "requests")}.sh`, text: text.join("\n") }], losses: losses.list };
};

const quote = (text: string) => `'${text.replace(/'/g, "'\\''")}'`;

/** Each may be set beforehand. */
function writeVariables(collection: Collection): string[] {
  const captured = listCapturedNames(collection);
  const isUsed = new Set(listVariables(collection.requests.flatMap(listTexts)));
  const variables: Variable[] = mergeVariables(collection).filter(
    ({ name }) => isUsed.has(name) && !captured.has(name),
  );
  const values = variables.flatMap(({ name, value, secret }) => {
    const written = rewrite(
      value,
      (inner) => `'"${shellVariable(inner)}"'`,
      (literal) => literal.replace(/'/g, "'\\''"),
    );
    return secret ? [] : [`[ -n "$${toShellName(name)}" ] || ${toShellName(name)}='${written}'`];
  });
  const secret = variables.filter((variable) => variable.secret).map(({ name }) => name);
  const unset = [...secret, ...listUnknownVariables(collection)];
  return [...values, ...unset.map((name) => `: "\${${toShellName(name)}:?Set ${toShellName(name)}}"`)];
}

function writeCommand(request: CollectedRequest, losses: Losses): string {
  const { name } = request;
  if (request.assertions.length > 0) losses.add(name, "assertions", "curl sends requests and judges no responses.");
  for (const capture of request.captures) {
    losses.add(
      name,
      `capture ${capture.name}`,
      `Set the variable ${toShellName(capture.name)} from the response manually.`,
    );
  }
  if (request.waitUntil) losses.add(name, "wait", "curl judges no responses: send the command again manually.");
  if ((request.retries ?? 0) > 0) losses.add(name, "retries", "curl retries by other rules: see its option --retry.");
  const names = listVariables([...listTexts(request), "{{access_token}}"]);
  // Letters and digits, so that no encoding changes them.
  const marks = new Map(names.map((one, index) => [one, `variable9x${index}x9`]));
  const mark = (text: string) => rewrite(text, (one) => marks.get(one)!);
  const options: string[] = [];
  const sample = toSample(request, mark, options, losses);
  let text = curl(sample);
  for (const [one, sign] of marks) text = text.replaceAll(sign, `'"${shellVariable(one)}"'`);
  return [`# ${toOneLine(name)}`, [text, ...options].join(" \\\n  "), "echo", ""].join("\n");
}

function toSample(
  request: CollectedRequest,
  mark: (text: string) => string,
  options: string[],
  losses: Losses,
): SampleRequest {
  const headers = listHeaders(request).map((header) => ({ name: mark(header.name), value: mark(header.value) }));
  const query = listEnabled(request.query);
  const { authorization } = request;
  const sample: SampleRequest = { method: request.method, url: "", headers };
  switch (authorization.kind) {
    case "basic":
      sample.basic = { username: mark(authorization.user), password: mark(authorization.secret) };
      break;
    case "digest":
      sample.basic = { username: mark(authorization.user), password: mark(authorization.secret) };
      options.push("--digest");
      break;
    case "bearer":
      headers.push({ name: "Authorization", value: mark(`Bearer ${authorization.secret}`) });
      break;
    case "apiKey": {
      const { name, secret } = authorization;
      if (authorization.in === "query") query.push({ name, value: secret, enabled: true });
      else if (authorization.in === "header") headers.push({ name, value: mark(secret) });
      else headers.push({ name: "Cookie", value: mark(`${name}=${secret}`) });
      break;
    }
    case "awsSignatureV4": {
      const { accessKeyId, secret, region, service } = authorization;
      sample.basic = { username: mark(accessKeyId), password: mark(secret) };
      options.push(`--aws-sigv4 ${quote(`aws:amz:${region}:${service}`)}`);
      break;
    }
    case "oauth2ClientCredentials":
      headers.push({ name: "Authorization", value: mark("Bearer {{access_token}}") });
      losses.add(request.name, "access token", "The script does not request it: set access_token to a token.");
      break;
  }
  if (request.followRedirects) options.push("--location");
  if (request.timeoutMilliseconds !== undefined) options.push(`--max-time ${request.timeoutMilliseconds / 1_000}`);
  sample.url = mark(writeAddress({ ...request, query }));
  const body = toSampleBody(request, mark, losses);
  return body ? { ...sample, body } : sample;
}

function toSampleBody(
  { body, bodyFile, name }: CollectedRequest,
  mark: (text: string) => string,
  losses: Losses,
): SampleRequest["body"] {
  const nameFile = (file: string) => {
    losses.add(name, `file ${file}`, "Its bytes are not in the export: put the file beside the script.");
    return file;
  };
  if (bodyFile) return { kind: "file", mediaType: bodyFile.mediaType, chosenFile: nameFile(bodyFile.name) };
  switch (body.kind) {
    case "none":
      return undefined;
    case "json":
    case "text":
      return { kind: "text", mediaType: body.mediaType, text: mark(body.text) };
    case "form": {
      const fields = listEnabled(body.fields).map((one) => ({
        name: mark(one.name),
        value: mark(one.value),
        file: false,
      }));
      return { kind: "form", mediaType: "application/x-www-form-urlencoded", fields };
    }
    case "multipart": {
      const fields = listEnabled(body.parts).map((part) => ({
        name: mark(part.name),
        value: mark(part.value),
        file: part.fromFile === true || part.fileName !== undefined,
        ...(part.fromFile ? { chosenFile: nameFile(part.fileName ?? part.name) } : {}),
        ...(part.mediaType ? { mediaType: mark(part.mediaType) } : {}),
      }));
      return { kind: "multipart", mediaType: "multipart/form-data", fields };
    }
  }
}
