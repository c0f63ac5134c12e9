import type { CollectedRequest, Collection } from "../collection.ts";
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
import { rewrite, splitText } from "./placeholders.ts";
import { writeCapture } from "./script/capture-code.ts";
import { type ScriptReader, writeCondition } from "./script/condition.ts";
import { defineHelpers } from "./script/script-functions.ts";
import { nameAssertion } from "./script/words.ts";

const generated: Record<string, string> = {
  $uuid: "uuid()",
  $guid: "uuid()",
  $timestamp: "Math.floor(Date.now() / 1000)",
  $isoTimestamp: "new Date().toISOString()",
  $randomInt: "Math.floor(Math.random() * 1001)",
};

const writeVariable = (name: string) => generated[name] ?? `variables[${JSON.stringify(name)}]`;

/** A text with variables as a JavaScript expression. */
function writeText(text: string): string {
  if (splitText(text).every((piece) => "literal" in piece)) return JSON.stringify(text);
  const escapeLiteral = (literal: string) => literal.replace(/[\\`]|\$(?=\{)/g, "\\$&");
  return `\`${rewrite(text, (name) => `\${${writeVariable(name)}}`, escapeLiteral)}\``;
}

/** A script that sends the requests in order, in each iteration. One user and one iteration, until options say more. */
export const writeK6: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const captured = listCapturedNames(collection);
  const reader: ScriptReader = {
    status: "response.status",
    time: "response.timings.duration",
    body: "response.body",
    json: "(json(response) ?? {})",
    url: "response.url",
    header: (name) => `header(response, ${JSON.stringify(name)})`,
    cookie: (name) => `response.cookies[${JSON.stringify(name)}]?.[0]?.value`,
    variable: writeVariable,
    isCaptured: (name) => captured.has(name),
  };
  const writer: Writer = { losses, reader, opened: [] };
  const body = listGroups(collection).flatMap((group) => {
    addOrderLosses(group, losses, { parallel: oneAfterTheOther });
    const stops = group.sequence?.stopOnFailure ?? false;
    return [
      ...(stops ? ["", "  let isStopped = false;"] : []),
      ...group.requests.flatMap(({ request, phase }) => writeRequest(request, stops ? phase : undefined, writer)),
    ];
  });
  const text = [
    ...writeHead(collection, [...body, ...writer.opened].join("\n")),
    ...defineHelpers(body),
    ...writer.opened,
    "",
    "export default function () {",
    "  const variables = { ...given };",
    ...body,
    "}",
    "",
  ].join("\n");
  return { files: [{ path: `${toSlug(collection.name, "tests")}.k6.js`, text }], losses: losses.list };
};

interface Writer {
  losses: Losses;
  reader: ScriptReader;
  /** Lines that open files, which k6 does before the first iteration only. */
  opened: string[];
}

const ownHelpers: Record<string, string> = {
  json: `const json = (response) => {
  try {
    return JSON.parse(response.body);
  } catch {
    return undefined;
  }
};`,
  header: `const header = (response, name) => {
  const found = Object.keys(response.headers).find((one) => one.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : response.headers[found];
};`,
  uuid: `const uuid = () =>
  "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));`,
  sendUntil: `/** Sends until all checks hold, as often and as long as allowed. */
const sendUntil = (send, checks, { tries = Infinity, seconds = Infinity, pause }) => {
  const end = Date.now() + seconds * 1000;
  for (let count = 1; ; count += 1) {
    const response = send();
    const holds = Object.values(checks).every((check) => check(response));
    if (holds || count >= tries || Date.now() + pause * 1000 > end) return response;
    sleep(pause);
  }
};`,
  getToken: `const tokens = {};
/** OAuth 2.0 client credentials, requested once. */
const getToken = (url, id, secret, scope) => {
  if (tokens[url + id] === undefined) {
    const headers = { Authorization: \`Basic \${encoding.b64encode(\`\${id}:\${secret}\`)}\` };
    const response = http.post(url, { grant_type: "client_credentials", ...(scope ? { scope } : {}) }, { headers });
    tokens[url + id] = response.json("access_token");
  }
  return tokens[url + id];
};`,
};

function writeHead(collection: Collection, body: string): string[] {
  const used = Object.keys(ownHelpers).filter((name) => body.includes(`${name}(`));
  const variables = [
    ...mergeVariables(collection),
    ...listUnknownVariables(collection).map((name) => ({ name, value: "", secret: false })),
  ];
  const code = [...used.map((name) => ownHelpers[name]!)];
  const all = [body, ...code].join("\n");
  return [
    ...(all.includes("encoding.") ? ['import encoding from "k6/encoding";'] : []),
    'import http from "k6/http";',
    `import { check${all.includes("sleep(") ? ", sleep" : ""} } from "k6";`,
    "",
    "export const options = {",
    "  vus: 1,",
    "  iterations: 1,",
    '  thresholds: { checks: ["rate==1.0"] },',
    "};",
    "",
    "// k6 run -e NAME=value replaces a value.",
    "const given = {",
    ...variables.map(({ name, value, secret }) => {
      const key = JSON.stringify(name);
      return `  ${key}: __ENV[${key}] ?? ${secret ? '""' : writeText(value).replaceAll("variables[", "__ENV[")},`;
    }),
    "};",
    ...(code.length > 0 ? ["", ...code] : []),
  ];
}

function writeRequest(request: CollectedRequest, phase: string | undefined, writer: Writer): string[] {
  const { losses, reader } = writer;
  const checks = request.assertions.flatMap((assertion) => {
    const title = nameAssertion(assertion);
    const written = writeCondition(assertion, reader);
    if (!("reason" in written))
      return [`${JSON.stringify(`${request.name}: ${title}`)}: (response) => ${written.code},`];
    losses.add(request.name, `assertion: ${title}`, written.reason);
    return [];
  });
  const captures = request.captures.flatMap((capture) => {
    const written = writeCapture(capture, reader);
    if (!("reason" in written)) return [`${writeVariable(capture.name)} = ${written.code};`];
    losses.add(request.name, `capture ${capture.name}`, written.reason);
    return [];
  });
  const send = writeSend(request, writer);
  const lines = [
    "const checks = {",
    ...checks.map((line) => `  ${line}`),
    "};",
    ...writeSending(request, send),
    phase === undefined || phase === "tearDown"
      ? "check(response, checks);"
      : "if (!check(response, checks)) isStopped = true;",
    ...captures,
  ];
  const opening = phase === undefined || phase === "tearDown" ? "{" : "if (!isStopped) {";
  return ["", `  // ${toOneLine(request.name)}`, `  ${opening}`, ...lines.map((line) => `    ${line}`), "  }"];
}

function writeSending({ waitUntil, retries = 0, retryDelayMilliseconds = 1_000 }: CollectedRequest, send: string[]) {
  const lines = ["const send = () =>", ...send.map((line) => `  ${line}`)];
  lines[lines.length - 1] += ";";
  const limits = waitUntil
    ? { seconds: waitUntil.atMostMilliseconds / 1_000, pause: waitUntil.everyMilliseconds / 1_000 }
    : { tries: retries + 1, pause: retryDelayMilliseconds / 1_000 };
  if (!waitUntil && retries === 0) return [...lines, "const response = send();"];
  const options = Object.entries(limits).map(([name, value]) => `${name}: ${value}`);
  return [...lines, `const response = sendUntil(send, checks, { ${options.join(", ")} });`];
}

function writeSend(request: CollectedRequest, writer: Writer): string[] {
  const headers = listHeaders(request).map(({ name, value }) => ({ name, code: writeText(value) }));
  const query = listEnabled(request.query);
  const { authorization } = request;
  const add = (name: string, code: string) => headers.push({ name, code });
  let credentials = "";
  const options: string[] = [];
  switch (authorization.kind) {
    case "basic": {
      const pair = writeText(`${authorization.user}:${authorization.secret}`);
      add("Authorization", `\`Basic \${encoding.b64encode(${pair})}\``);
      break;
    }
    case "digest":
      credentials = `${authorization.user}:${authorization.secret}@`;
      options.push('auth: "digest",');
      break;
    case "bearer":
      add("Authorization", writeText(`Bearer ${authorization.secret}`));
      break;
    case "apiKey": {
      const { name, secret } = authorization;
      if (authorization.in === "header") add(name, writeText(secret));
      else if (authorization.in === "cookie") add("Cookie", writeText(`${name}=${secret}`));
      else query.push({ name, value: secret, enabled: true });
      break;
    }
    case "oauth2ClientCredentials": {
      const { tokenUrl, clientId, secret, scopes } = authorization;
      const values = [tokenUrl, clientId, secret, scopes.join(" ")].map(writeText).join(", ");
      add("Authorization", `\`Bearer \${getToken(${values})}\``);
      break;
    }
    case "awsSignatureV4":
      writer.losses.add(request.name, "AWS signature", "k6 signs requests with a library of its own: add it manually.");
      break;
  }
  const body = writeBody(request, headers, writer);
  const address = writeText(writeAddress({ ...request, query })).replace("://", `://${credentials}`);
  return [
    `http.request(${JSON.stringify(request.method)}, ${address}, ${body}, {`,
    ...(headers.length > 0
      ? ["  headers: {", ...headers.map(({ name, code }) => `    ${JSON.stringify(name)}: ${code},`), "  },"]
      : []),
    ...options.map((option) => `  ${option}`),
    `  redirects: ${request.followRedirects ? 5 : 0},`,
    ...(request.timeoutMilliseconds === undefined ? [] : [`  timeout: "${request.timeoutMilliseconds}ms",`]),
    `  tags: { name: ${JSON.stringify(request.name)} },`,
    "})",
  ];
}

const setHeader = (headers: { name: string; code: string }[], name: string, code: string) => {
  if (!headers.some((header) => header.name.toLowerCase() === name.toLowerCase())) headers.push({ name, code });
};

function writeBody(request: CollectedRequest, headers: { name: string; code: string }[], writer: Writer): string {
  const { body, bodyFile, name } = request;
  const open = (file: string) => {
    writer.losses.add(name, `file ${file}`, "Its bytes are not in the export: put the file beside the script.");
    const variable = `file${writer.opened.length + 1}`;
    writer.opened.push(`const ${variable} = open(${JSON.stringify(file)}, "b");`);
    return variable;
  };
  if (bodyFile) return open(bodyFile.name);
  switch (body.kind) {
    case "none":
      return "null";
    case "json":
    case "text":
      return writeText(body.text);
    case "form": {
      setHeader(headers, "Content-Type", '"application/x-www-form-urlencoded"');
      const pairs = listEnabled(body.fields).map(
        (field) => `\`${encodeURIComponent(field.name)}=\${encodeURIComponent(${writeText(field.value)})}\``,
      );
      return pairs.length === 1 ? pairs[0]! : `[${pairs.join(", ")}].join("&")`;
    }
    case "multipart": {
      const parts = listEnabled(body.parts);
      if (parts.some(({ fromFile }) => fromFile)) {
        const names = createUniqueNames();
        if (parts.some((part) => names(part.name) !== part.name)) {
          writer.losses.add(name, "several parts of one name", "k6 sends one part of a name together with files.");
        }
        const members = parts.map((part) => {
          const content = part.fromFile ? open(part.fileName ?? part.name) : writeText(part.value);
          const more = [part.fileName ?? (part.mediaType ? part.name : undefined), part.mediaType].filter(Boolean);
          const isFile = part.fromFile || more.length > 0;
          const written = isFile
            ? `http.file(${[content, ...more.map((one) => JSON.stringify(one))].join(", ")})`
            : content;
          return `${JSON.stringify(part.name)}: ${written}`;
        });
        return `{ ${members.join(", ")} }`;
      }
      setHeader(headers, "Content-Type", '"multipart/form-data; boundary=part-boundary"');
      const lines = parts.flatMap((part) => [
        "--part-boundary",
        `Content-Disposition: form-data; name="${part.name}"${part.fileName ? `; filename="${part.fileName}"` : ""}`,
        ...(part.mediaType ? [`Content-Type: ${part.mediaType}`] : []),
        "",
        part.value,
      ]);
      return `[${[...lines, "--part-boundary--", ""].map(writeText).join(", ")}].join("\\r\\n")`;
    }
  }
}
