import type { CollectedAuthorization, CollectedRequest, Collection, Pair, Variable } from "../collection.ts";
import { encodeLiterals, listEnabled, listHeaders, writeQuery } from "./address.ts";
import { writeAssertLine } from "./bruno/assert-line.ts";
import { type Entry, joinBlocks, writeDictionary, writeList, writeText } from "./bruno/markup.ts";
import { type Exported, type ExportedFile, Losses, type WriteCollection } from "./exported.ts";
import {
  addOrderLosses,
  type Group,
  hasPhases,
  listCapturedNames,
  listGroups,
  listUnknownVariables,
  oneAfterTheOther,
  phaseTitles,
} from "./groups.ts";
import { createUniqueNames, toOneLine, toSlug } from "./names.ts";
import { rewrite } from "./placeholders.ts";
import { writeCapture } from "./script/capture-code.ts";
import type { ScriptReader } from "./script/condition.ts";
import { writeExpectation } from "./script/expectation.ts";
import { writeSchemaTest } from "./script/schema-test.ts";
import { defineHelpers } from "./script/script-functions.ts";
import { nameAssertion } from "./script/words.ts";

const writeVariable = (name: string) => (name === "$uuid" ? "{{$guid}}" : `{{${name}}}`);
const write = (text: string) => rewrite(text, writeVariable);

/** A folder of files, one for each request, with an environment. */
export const writeBruno: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const root = toSlug(collection.name, "collection");
  const reader = createReader(collection);
  const settings = { version: "1", name: collection.name, type: "collection", ignore: ["node_modules", ".git"] };
  const groups = listGroups(collection);
  const files: ExportedFile[] = [
    { path: `${root}/bruno.json`, text: `${JSON.stringify(settings, null, 2)}\n` },
    ...writeEnvironments(collection).map((file) => ({ ...file, path: `${root}/environments/${file.path}` })),
  ];
  const nameFolder = createUniqueNames();
  for (const [index, group] of groups.entries()) {
    addOrderLosses(group, losses, {
      stop: "Run the collection with the option --bail.",
      parallel: oneAfterTheOther,
    });
    const isFolder = group.sequence !== undefined && groups.length > 1;
    const folder = isFolder ? `${root}/${nameFolder(toSlug(group.sequence!.name, "sequence"))}` : root;
    if (isFolder) files.push(writeFolder(folder, group.sequence!.name, index + 1));
    files.push(...writeGroup(group, folder, reader, losses));
  }
  return { files, losses: losses.list };
};

const writeFolder = (path: string, name: string, seq: number): ExportedFile => ({
  path: `${path}/folder.bru`,
  text: writeDictionary("meta", [
    { name: "name", value: toOneLine(name) },
    { name: "seq", value: String(seq) },
  ]),
});

function writeGroup(group: Group, folder: string, reader: ScriptReader, losses: Losses): ExportedFile[] {
  const nameOnce = createUniqueNames();
  const files: ExportedFile[] = [];
  const titles = Object.entries(phaseTitles);
  if (hasPhases(group)) {
    for (const [phase, title] of titles) {
      if (!group.requests.some((one) => one.phase === phase)) continue;
      const seq = titles.findIndex(([one]) => one === phase) + 1;
      files.push(writeFolder(`${folder}/${toSlug(title, phase)}`, title, seq));
    }
  }
  for (const [index, { request, phase }] of group.requests.entries()) {
    const inside = hasPhases(group) ? `${folder}/${toSlug(phaseTitles[phase], phase)}` : folder;
    const number = String(index + 1).padStart(2, "0");
    const path = `${inside}/${nameOnce(`${number}-${toSlug(request.name, "request")}`)}.bru`;
    files.push({ path, text: writeRequest(request, index + 1, reader, losses) });
  }
  return files;
}

function writeEnvironments(collection: Collection): ExportedFile[] {
  const environments =
    collection.environments.length > 0 ? collection.environments : [{ name: "Default", variables: [] }];
  const unknown = listUnknownVariables(collection).map((name) => ({ name, value: "", secret: true }));
  const nameOnce = createUniqueNames();
  return environments.map((environment) => {
    const all = new Map<string, Variable>();
    for (const one of [...collection.variables, ...environment.variables, ...unknown]) all.set(one.name, one);
    const variables = [...all.values()];
    const given = variables.filter(({ secret }) => !secret).map(({ name, value }) => ({ name, value: write(value) }));
    const secret = variables.filter((variable) => variable.secret).map(({ name }) => name);
    const text = joinBlocks([writeDictionary("vars", given) || "vars {\n}\n", writeList("vars:secret", secret)]);
    return { path: `${nameOnce(environment.name.replace(/[^\w .-]+/g, "-") || "environment")}.bru`, text };
  });
}

function createReader(collection: Collection): ScriptReader {
  const captured = listCapturedNames(collection);
  return {
    status: "res.status",
    time: "res.responseTime",
    json: "res.body",
    url: "res.getUrl()",
    header: (name) => `res.getHeader(${JSON.stringify(name)})`,
    variable: (name) =>
      captured.has(name)
        ? `bru.getVar(${JSON.stringify(name)})`
        : `bru.interpolate(${JSON.stringify(writeVariable(name))})`,
    isCaptured: (name) => captured.has(name),
  };
}

function writeRequest(request: CollectedRequest, seq: number, reader: ScriptReader, losses: Losses): string {
  if (request.waitUntil) losses.add(request.name, "wait", "Bruno sends a request once.");
  if ((request.retries ?? 0) > 0) losses.add(request.name, "retries", "Bruno sends a request once.");
  const headers = listHeaders(request).map((one) => ({ name: write(one.name), value: write(one.value) }));
  const query = [...request.query];
  const auth = writeAuthorization(request.authorization, headers, request.name, losses);
  const body = writeBody(request, losses);
  const scripts = writeScripts(request, reader, losses);
  const method = request.method.toLowerCase();
  const isStandard = /^(get|post|put|delete|patch|options|head|connect|trace)$/.test(method);
  const address = writePathOf(request);
  const search = writeQuery(query, writeVariable);
  return joinBlocks([
    writeDictionary("meta", [
      { name: "name", value: toOneLine(request.name) },
      { name: "type", value: "http" },
      { name: "seq", value: String(seq) },
    ]),
    writeDictionary(isStandard ? method : "http", [
      ...(isStandard ? [] : [{ name: "method", value: request.method }]),
      { name: "url", value: search === "" ? address.url : `${address.url}?${search}` },
      { name: "body", value: body.mode },
      { name: "auth", value: auth.mode },
    ]),
    writeDictionary(
      "params:query",
      query.map(({ name, value, enabled }) => ({ ...encodePair({ name, value }), enabled })),
    ),
    writeDictionary("params:path", address.parameters),
    writeDictionary("headers", [...headers, ...request.headers.filter(({ enabled }) => !enabled).map(toEntry)]),
    auth.block,
    body.block,
    ...scripts,
    writeDictionary("settings", [
      { name: "encodeUrl", value: "false" },
      { name: "followRedirects", value: String(request.followRedirects ?? false) },
      { name: "timeout", value: String(request.timeoutMilliseconds ?? 30_000) },
    ]),
    writeText("docs", request.description),
  ]);
}

const toEntry = ({ name, value, enabled }: Pair): Entry => ({ name: write(name), value: write(value), enabled });
const encodePair = ({ name, value }: { name: string; value: string }) => ({
  name: encodeLiterals(name, writeVariable),
  value: encodeLiterals(value, writeVariable),
});

/** A segment that is a path parameter is one of Bruno's; within a segment the value is written. */
function writePathOf({ url, pathParameters }: CollectedRequest): { url: string; parameters: Entry[] } {
  const values = new Map(listEnabled(pathParameters).map(({ name, value }) => [name, value]));
  const parameters: Entry[] = [];
  const written = url.replace(/\{\{[^{}]*\}\}|(\/)?\{([^{}]+)\}(?=(\/|$)?)/g, (whole, slash, name, end) => {
    if (name === undefined) return write(whole);
    const value = encodeLiterals(values.get(name) ?? "", writeVariable);
    if (slash === undefined || end === undefined || !/^\w+$/.test(name)) return `${slash ?? ""}${value}`;
    parameters.push({ name, value });
    return `/:${name}`;
  });
  return { url: written, parameters };
}

function writeAuthorization(
  authorization: CollectedAuthorization,
  headers: Entry[],
  of: string,
  losses: Losses,
): { mode: string; block: string } {
  const block = (mode: string, values: Record<string, string>) => ({
    mode,
    block: writeDictionary(
      `auth:${mode}`,
      Object.entries(values).map(([name, value]) => ({ name, value: write(value) })),
    ),
  });
  switch (authorization.kind) {
    case "inherit":
    case "none":
      return { mode: authorization.kind, block: "" };
    case "basic":
    case "digest":
      return block(authorization.kind, { username: authorization.user, password: authorization.secret });
    case "bearer":
      return block("bearer", { token: authorization.secret });
    case "apiKey": {
      const { name, secret } = authorization;
      if (authorization.in === "cookie") {
        headers.push({ name: "Cookie", value: write(`${name}=${secret}`) });
        return { mode: "none", block: "" };
      }
      const placement = authorization.in === "query" ? "queryparams" : "header";
      return block("apikey", { key: name, value: secret, placement });
    }
    case "oauth2ClientCredentials": {
      const { tokenUrl, clientId, secret, scopes } = authorization;
      return block("oauth2", {
        ...{ grant_type: "client_credentials", access_token_url: tokenUrl, refresh_token_url: "" },
        ...{ client_id: clientId, client_secret: secret, scope: scopes.join(" ") },
        ...{ credentials_placement: "basic_auth_header", credentials_id: "credentials", token_placement: "header" },
        ...{ token_header_prefix: "Bearer", auto_fetch_token: "true", auto_refresh_token: "false" },
      });
    }
    case "awsSignatureV4": {
      const { accessKeyId, secret, region, service } = authorization;
      losses.add(of, "AWS signature", "It is signed with the key only: a session token has to be added manually.");
      const names = { accessKeyId, secretAccessKey: secret, sessionToken: "", service, region, profileName: "" };
      return block("awsv4", names);
    }
  }
}

function writeBody({ body, bodyFile, name }: CollectedRequest, losses: Losses): { mode: string; block: string } {
  const nameFile = (file: string, mediaType: string | undefined) => {
    losses.add(
      name,
      `file ${file}`,
      "Its bytes are not in the export: put the file into the folder of the collection.",
    );
    return `@file(${file})${mediaType ? ` @contentType(${mediaType})` : ""}`;
  };
  if (bodyFile) {
    const value = nameFile(bodyFile.name, bodyFile.mediaType);
    return { mode: "file", block: writeDictionary("body:file", [{ name: "file", value }]) };
  }
  switch (body.kind) {
    case "none":
      return { mode: "none", block: "" };
    case "json":
      return { mode: "json", block: writeText("body:json", write(body.text)) };
    case "text":
      return { mode: "text", block: writeText("body:text", write(body.text)) };
    case "form":
      return { mode: "formUrlEncoded", block: writeDictionary("body:form-urlencoded", body.fields.map(toEntry)) };
    case "multipart": {
      const entries = body.parts.map((part): Entry => {
        if (part.fromFile) return { ...toEntry(part), value: nameFile(part.fileName ?? part.name, part.mediaType) };
        if (part.fileName)
          losses.add(name, `file name of the part ${part.name}`, "Bruno sends a text without a file name.");
        const entry = toEntry(part);
        return part.mediaType ? { ...entry, value: `${entry.value} @contentType(${part.mediaType})` } : entry;
      });
      return { mode: "multipartForm", block: writeDictionary("body:multipart-form", entries) };
    }
  }
}

/** The blocks of variables, assertions and tests. */
function writeScripts(request: CollectedRequest, reader: ScriptReader, losses: Losses): string[] {
  const asserts: Entry[] = [];
  const tests = request.assertions.flatMap((assertion) => {
    const line = writeAssertLine(assertion, reader);
    // Lines of one name would replace each other.
    if (line && !asserts.some(({ name }) => name === line.name)) {
      asserts.push(line);
      return [];
    }
    const title = nameAssertion(assertion);
    const written =
      writeSchemaTest(assertion, reader, (value, schema) => [
        'const Ajv = require("ajv");',
        "const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });",
        `const validate = ajv.compile(${schema});`,
        `expect(validate(${value}), JSON.stringify(validate.errors)).to.equal(true);`,
      ]) ?? writeExpectation(assertion, reader, "expect");
    if ("reason" in written) {
      losses.add(request.name, `assertion: ${title}`, written.reason);
      return [];
    }
    return [
      `test(${JSON.stringify(title)}, function () {`,
      ...written.code.split("\n").map((code) => `  ${code}`),
      "});",
    ];
  });
  const variables: Entry[] = [];
  const script = request.captures.flatMap((capture) => {
    const written = writeCapture(capture, reader);
    if ("reason" in written) {
      losses.add(request.name, `capture ${capture.name}`, written.reason);
      return [];
    }
    if (/^res\.(status|body(\??\.\w+|\??\.?\[\d+\])*)$/.test(written.code) && /^[\w.-]+$/.test(capture.name)) {
      variables.push({ name: capture.name, value: written.code.replaceAll("?.[", "[").replaceAll("?.", ".") });
      return [];
    }
    return [`bru.setVar(${JSON.stringify(capture.name)}, ${written.code});`];
  });
  return [
    writeDictionary("vars:post-response", variables),
    writeDictionary("assert", asserts, true),
    writeText("script:post-response", [...defineHelpers(script), ...script].join("\n")),
    writeText("tests", [...defineHelpers(tests), ...tests].join("\n")),
  ];
}
