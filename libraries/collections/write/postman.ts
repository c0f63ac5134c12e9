import type { CollectedAuthorization, CollectedRequest, Collection, Pair, Variable } from "../collection.ts";
import { encodeLiterals, listHeaders } from "./address.ts";
import { type Exported, Losses, type WriteCollection } from "./exported.ts";
import {
  addOrderLosses,
  type Group,
  hasPhases,
  listCapturedNames,
  listGroups,
  mergeVariables,
  oneAfterTheOther,
  type Phase,
  phaseTitles,
} from "./groups.ts";
import { toSlug } from "./names.ts";
import { rewrite } from "./placeholders.ts";
import { writeCapture } from "./script/capture-code.ts";
import type { ScriptReader } from "./script/condition.ts";
import { writeExpectation } from "./script/expectation.ts";
import { writeSchemaTest } from "./script/schema-test.ts";
import { defineHelpers } from "./script/script-functions.ts";
import { nameAssertion } from "./script/words.ts";

type Json = Record<string, unknown>;

/** A collection 2.1, with scripts that check responses and hand values on. */
export const writePostman: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const reader = createReader(collection);
  const groups = listGroups(collection);
  const items = groups.flatMap((group) => {
    addOrderLosses(group, losses, {
      stop: "Run the collection with newman's option --bail.",
      parallel: oneAfterTheOther,
    });
    const inside = writeGroup(group, reader, losses);
    return group.sequence && groups.length > 1 ? [{ name: group.sequence.name, item: inside }] : inside;
  });
  const file = {
    info: {
      name: collection.name,
      ...(collection.description ? { description: collection.description } : {}),
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: items,
    variable: mergeVariables(collection).map(toVariable),
  };
  const name = toSlug(collection.name, "collection");
  const environments = collection.environments.length > 1 ? collection.environments : [];
  const files = [
    { path: `${name}.postman_collection.json`, text: writeJson(file) },
    ...environments.map((environment) => ({
      path: `${toSlug(environment.name, "environment")}.postman_environment.json`,
      text: writeJson(writeEnvironment(environment)),
    })),
  ];
  return { files, losses: losses.list };
};

const toVariable = ({ name, value, secret }: Variable) => ({
  key: name,
  value: secret ? "" : write(value),
  type: "string",
});

const writeJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function writeEnvironment({ name, variables }: { name: string; variables: Variable[] }): Json {
  const values = variables.map((variable) => ({
    ...toVariable(variable),
    type: variable.secret ? "secret" : "default",
    enabled: true,
  }));
  return { name, values, _postman_variable_scope: "environment" };
}

function writeGroup(group: Group, reader: ScriptReader, losses: Losses): Json[] {
  const write = (phase?: Phase) =>
    group.requests.flatMap((one) =>
      phase === undefined || one.phase === phase ? [writeItem(one.request, reader, losses)] : [],
    );
  if (!hasPhases(group)) return write();
  return (["setUp", "main", "tearDown"] as const).flatMap((phase) => {
    const item = write(phase);
    return item.length > 0 ? [{ name: phaseTitles[phase], item }] : [];
  });
}

function createReader(collection: Collection): ScriptReader {
  const captured = listCapturedNames(collection);
  return {
    status: "pm.response.code",
    time: "pm.response.responseTime",
    body: "pm.response.text()",
    json: "pm.response.json()",
    header: (name) => `pm.response.headers.get(${JSON.stringify(name)})`,
    cookie: (name) => `pm.cookies.get(${JSON.stringify(name)})`,
    variable: (name) =>
      name.startsWith("$")
        ? `pm.variables.replaceIn(${JSON.stringify(writeVariable(name))})`
        : `pm.variables.get(${JSON.stringify(name)})`,
    isCaptured: (name) => captured.has(name),
  };
}

const writeVariable = (name: string) => (name === "$uuid" ? "{{$guid}}" : `{{${name}}}`);
const write = (text: string) => rewrite(text, writeVariable);

function writeItem(request: CollectedRequest, reader: ScriptReader, losses: Losses): Json {
  const lines = writeScript(request, reader, losses);
  if (request.waitUntil) {
    losses.add(request.name, "wait", "Postman sends a request once: put a pause before it, or run it again.");
  }
  if ((request.retries ?? 0) > 0) losses.add(request.name, "retries", "Postman sends a request once.");
  if (request.timeoutMilliseconds !== undefined) {
    losses.add(request.name, "time-out", "It is an option of the runner: newman's --timeout-request.");
  }
  return {
    name: request.name,
    ...(lines.length > 0 ? { event: [{ listen: "test", script: { type: "text/javascript", exec: lines } }] } : {}),
    ...(request.followRedirects === undefined
      ? {}
      : { protocolProfileBehavior: { followRedirects: request.followRedirects } }),
    request: {
      method: request.method,
      header: writeHeaders(request),
      ...writeBody(request, losses),
      url: writeUrl(request),
      ...writeAuthorization(request.authorization, request.name, losses),
      ...(request.description ? { description: request.description } : {}),
    },
    response: [],
  };
}

function writeHeaders(request: CollectedRequest): Json[] {
  const disabled = request.headers.filter(({ enabled }) => !enabled);
  return [
    ...listHeaders(request).map(({ name, value }) => ({ key: write(name), value: write(value) })),
    ...disabled.map(({ name, value }) => ({ key: write(name), value: write(value), disabled: true })),
  ];
}

const toEntry = ({ name, value, enabled }: Pair) => ({
  key: write(name),
  value: write(value),
  ...(enabled ? {} : { disabled: true }),
});

function writeUrl(request: CollectedRequest): Json {
  const values = new Map(
    request.pathParameters.flatMap(({ name, value, enabled }) => (enabled ? [[name, value]] : [])),
  );
  const used: Json[] = [];
  const encode = (text: string) => encodeLiterals(text, writeVariable);
  const [, base = "", rest = ""] = /^(\{\{[^{}]+\}\}|https?:\/\/[^/]*)?(.*)$/s.exec(request.url) ?? [];
  const path = rest
    .replace(/^\//, "")
    .split("/")
    .map((segment) => {
      const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
      if (name !== undefined && /^[\w-]+$/.test(name)) {
        used.push({ key: name, value: encode(values.get(name) ?? "") });
        return `:${name}`;
      }
      return segment.replace(/\{\{[^{}]*\}\}|\{([^{}]+)\}/g, (whole, inner?: string) =>
        inner === undefined ? write(whole) : encode(values.get(inner) ?? whole),
      );
    });
  const query = request.query.map(({ name, value, enabled }) => ({
    ...{ key: encode(name), value: encode(value) },
    ...(enabled ? {} : { disabled: true }),
  }));
  const sent = query.filter((one) => !("disabled" in one)).map(({ key, value }) => `${key}=${value}`);
  const raw = `${write(base)}${rest === "" ? "" : `/${path.join("/")}`}${sent.length > 0 ? `?${sent.join("&")}` : ""}`;
  const [, protocol, host = "", port] = /^(?:(https?):\/\/)?([^/:]*)(?::(\d+))?$/.exec(base) ?? [];
  return {
    raw,
    ...(protocol ? { protocol, host: host.split("."), ...(port ? { port } : {}) } : { host: [write(base)] }),
    ...(rest === "" ? {} : { path }),
    ...(query.length > 0 ? { query } : {}),
    ...(used.length > 0 ? { variable: used } : {}),
  };
}

function writeBody({ body, bodyFile, name }: CollectedRequest, losses: Losses): Json {
  if (bodyFile) {
    losses.add(name, `file ${bodyFile.name}`, "Its bytes are not in the export: put the file beside the collection.");
    return { body: { mode: "file", file: { src: bodyFile.name } } };
  }
  switch (body.kind) {
    case "none":
      return {};
    case "json":
      return { body: { mode: "raw", raw: write(body.text), options: { raw: { language: "json" } } } };
    case "text":
      return { body: { mode: "raw", raw: write(body.text) } };
    case "form":
      return { body: { mode: "urlencoded", urlencoded: body.fields.map(toEntry) } };
    case "multipart": {
      const formdata = body.parts.map((part) => {
        const type = part.mediaType ? { contentType: write(part.mediaType) } : {};
        if (part.fromFile) {
          const file = part.fileName ?? part.name;
          losses.add(name, `file ${file}`, "Its bytes are not in the export: put the file beside the collection.");
          const { value: _, ...entry } = toEntry(part);
          return { ...entry, type: "file", src: file, ...type };
        }
        if (part.fileName) {
          losses.add(name, `file name of the part ${part.name}`, "Postman sends a text without a file name.");
        }
        return { ...toEntry(part), type: "text", ...type };
      });
      return { body: { mode: "formdata", formdata } };
    }
  }
}

const attributes = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: write(value), type: "string" }));

function writeAuthorization(authorization: CollectedAuthorization, of: string, losses: Losses): Json {
  switch (authorization.kind) {
    case "inherit":
      return {};
    case "none":
      return { auth: { type: "noauth" } };
    case "basic":
    case "digest": {
      const { kind, user, secret } = authorization;
      return { auth: { type: kind, [kind]: attributes({ username: user, password: secret }) } };
    }
    case "bearer":
      return { auth: { type: "bearer", bearer: attributes({ token: authorization.secret }) } };
    case "apiKey": {
      const { name, secret } = authorization;
      if (authorization.in === "cookie") {
        losses.add(
          of,
          "API key in a cookie",
          "Postman sends API keys in headers and queries only: set a Cookie header.",
        );
        return {};
      }
      return { auth: { type: "apikey", apikey: attributes({ key: name, value: secret, in: authorization.in }) } };
    }
    case "oauth2ClientCredentials": {
      const { tokenUrl, clientId, secret, scopes } = authorization;
      losses.add(of, "access token", "Postman's app requests it; newman does not: give it a token there.");
      const values = { grant_type: "client_credentials", accessTokenUrl: tokenUrl, clientId, clientSecret: secret };
      return {
        auth: { type: "oauth2", oauth2: attributes({ ...values, scope: scopes.join(" "), addTokenTo: "header" }) },
      };
    }
    case "awsSignatureV4": {
      const { accessKeyId, secret, region, service } = authorization;
      return {
        auth: { type: "awsv4", awsv4: attributes({ accessKey: accessKeyId, secretKey: secret, region, service }) },
      };
    }
  }
}

function writeScript(request: CollectedRequest, reader: ScriptReader, losses: Losses): string[] {
  const tests = request.assertions.flatMap((assertion) => {
    const title = nameAssertion(assertion);
    const written =
      writeSchemaTest(assertion, reader, (value, schema) => [
        `pm.expect(${value}).to.have.jsonSchema(${schema}, { unknownFormats: "ignore", nullable: true });`,
      ]) ?? writeExpectation(assertion, reader, "pm.expect");
    if ("reason" in written) {
      losses.add(request.name, `assertion: ${title}`, written.reason);
      return [];
    }
    const { source, comparison, target } = assertion;
    const isStatus = source === "statusCode" && comparison === "equals" && typeof target === "number";
    const code = isStatus ? `pm.response.to.have.status(${target});` : written.code;
    return [`pm.test(${JSON.stringify(title)}, function () {`, ...code.split("\n").map((line) => `    ${line}`), "});"];
  });
  const captures = request.captures.flatMap((capture) => {
    const written = writeCapture(capture, reader);
    if ("reason" in written) {
      losses.add(request.name, `capture ${capture.name}`, written.reason);
      return [];
    }
    return [`pm.collectionVariables.set(${JSON.stringify(capture.name)}, ${written.code});`];
  });
  const lines = [...tests, ...captures];
  return [...defineHelpers(lines).flatMap((code) => code.split("\n")), ...lines];
}
