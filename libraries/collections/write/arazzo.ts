import { stringify } from "yaml";
import type { CollectedRequest, Collection } from "../collection.ts";
import { listEnabled } from "./address.ts";
import { type Resolve, writeCriteria, writeOutput, writePayload, writeTemplate } from "./arazzo/expressions.ts";
import { type Exported, Losses, type WriteCollection } from "./exported.ts";
import { addOrderLosses, type Group, listGroups, listTexts, mergeVariables, oneAfterTheOther } from "./groups.ts";
import { createUniqueNames, toSlug } from "./names.ts";
import { listVariables } from "./placeholders.ts";
import { nameAssertion } from "./script/words.ts";

type Json = Record<string, unknown>;

/** An Arazzo 1.1 document: a workflow for each sequence, and for each request that is in none. */
export const writeArazzo: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const documents = collection.documents ?? [];
  const sources = new Map<string, string>();
  const nameSource = createUniqueNames();
  for (const { name } of documents) sources.set(name, nameSource(toSlug(name, "api")));
  const nameWorkflow = createUniqueNames();
  const workflows = listGroups(collection)
    .flatMap((group): Group[] => (group.sequence ? [group] : group.requests.map((one) => ({ requests: [one] }))))
    .flatMap((group) => {
      const name = group.sequence?.name ?? group.requests[0]!.request.name;
      const workflow = writeWorkflow(group, collection, sources, losses);
      return workflow ? [{ workflowId: nameWorkflow(toSlug(name, "workflow")), summary: name, ...workflow }] : [];
    });
  if (workflows.length === 0) return { files: [], losses: losses.list };
  for (const { name, url } of documents) {
    losses.add(name, "OpenAPI document", `It is not in the export: put it beside the file as ${url}.`);
  }
  const document = {
    arazzo: "1.1.0",
    info: {
      title: collection.name,
      ...(collection.description ? { description: collection.description } : {}),
      version: "1.0.0",
    },
    sourceDescriptions: documents.map(({ name, url }) => ({ name: sources.get(name), url, type: "openapi" })),
    workflows,
  };
  const text = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  return { files: [{ path: `${toSlug(collection.name, "workflows")}.arazzo.yaml`, text }], losses: losses.list };
};

function writeWorkflow(
  { sequence, requests }: Group,
  collection: Collection,
  sources: Map<string, string>,
  losses: Losses,
): Json | undefined {
  const nameStep = createUniqueNames();
  const steps = requests.flatMap(({ request, phase }) => {
    if (!request.operation) {
      losses.add(request.name, "request", "It calls no operation of a document, which each step of Arazzo does.");
      return [];
    }
    return [{ request, phase, stepId: nameStep(toSlug(request.name, "step")) }];
  });
  if (steps.length === 0) return undefined;
  addOrderLosses({ ...(sequence ? { sequence } : {}), requests }, losses, { parallel: oneAfterTheOther });
  if (sequence && !sequence.stopOnFailure) {
    losses.add(
      sequence.name,
      "continuing after a failure",
      "A step that fails ends the workflow, but for its tear-down.",
    );
  }
  if (sequence?.cookies) losses.add(sequence.name, "cookies", "Arazzo has no cookies that responses set.");
  const captured = new Map<string, string>();
  const inputs = new Set<string>();
  const tearDown = steps.find(({ phase }) => phase === "tearDown")?.stepId;
  const written = steps.map(({ request, phase, stepId }) => {
    const resolve: Resolve = (name) => {
      if (captured.has(name)) return captured.get(name)!;
      inputs.add(name);
      return `$inputs.${name}`;
    };
    const step = writeStep(request, sources, resolve, losses);
    const failing = [...writeRetries(request), ...(tearDown && phase !== "tearDown" ? [goTo(tearDown)] : [])];
    for (const name of Object.keys((step.outputs as Json | undefined) ?? {})) {
      captured.set(name, `$steps.${stepId}.outputs.${name}`);
    }
    return { stepId, ...step, ...(failing.length > 0 ? { onFailure: failing } : {}) };
  });
  return { ...writeInputs(collection, inputs), steps: written };
}

const goTo = (stepId: string) => ({ name: "tear-down", type: "goto", stepId });

function writeRetries({ waitUntil, retries = 0, retryDelayMilliseconds = 1_000 }: CollectedRequest): Json[] {
  const limit = waitUntil ? Math.ceil(waitUntil.atMostMilliseconds / waitUntil.everyMilliseconds) : retries;
  const pause = waitUntil ? waitUntil.everyMilliseconds : retryDelayMilliseconds;
  return limit > 0 ? [{ name: "again", type: "retry", retryAfter: pause / 1_000, retryLimit: limit }] : [];
}

function writeInputs(collection: Collection, inputs: Set<string>): Json {
  if (inputs.size === 0) return {};
  const values = new Map(mergeVariables(collection).map((variable) => [variable.name, variable]));
  const properties = [...inputs].map((name) => {
    const variable = values.get(name);
    const known = variable && !variable.secret ? { default: variable.value } : {};
    return [name, { type: "string", ...known, ...(variable?.secret ? { format: "password" } : {}) }];
  });
  return { inputs: { type: "object", properties: Object.fromEntries(properties) } };
}

function writeStep(request: CollectedRequest, sources: Map<string, string>, resolve: Resolve, losses: Losses): Json {
  const { name, operation } = request;
  for (const variable of listVariables(listTexts(request))) {
    if (!variable.startsWith("$")) continue;
    losses.add(name, `generated value {{${variable}}}`, "Arazzo generates no values: it is an input of the workflow.");
  }
  const resolveSafely: Resolve = (variable) => resolve(variable.replace(/^\$/, ""));
  const criteria = request.assertions.flatMap((assertion) => {
    const written = writeCriteria(assertion, resolveSafely);
    if (Array.isArray(written)) return written;
    losses.add(name, `assertion: ${nameAssertion(assertion)}`, written.reason);
    return [];
  });
  const outputs = request.captures.flatMap((capture) => {
    const written = writeOutput(capture);
    if (typeof written === "string" || !("reason" in written)) return [[capture.name, written]];
    losses.add(name, `capture ${capture.name}`, written.reason as string);
    return [];
  });
  const parameters = writeParameters(request, resolveSafely, losses);
  return {
    description: name,
    ...writeOperation(operation!, request.method, sources),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...writeBody(request, resolveSafely, losses),
    ...(criteria.length > 0 ? { successCriteria: criteria } : {}),
    ...(request.timeoutMilliseconds === undefined ? {} : { timeout: request.timeoutMilliseconds }),
    ...(outputs.length > 0 ? { outputs: Object.fromEntries(outputs) } : {}),
  };
}

function writeOperation(
  { document, operationId, path }: NonNullable<CollectedRequest["operation"]>,
  method: string,
  sources: Map<string, string>,
): Json {
  const source = sources.get(document) ?? document;
  if (operationId)
    return { operationId: sources.size > 1 ? `$sourceDescriptions.${source}.${operationId}` : operationId };
  const pointer = path.replace(/~/g, "~0").replace(/\//g, "~1");
  return { operationPath: `{$sourceDescriptions.${source}.url}#/paths/${pointer}/${method.toLowerCase()}` };
}

function writeParameters(request: CollectedRequest, resolve: Resolve, losses: Losses): Json[] {
  const { authorization, name: of } = request;
  const list = (place: string, pairs: CollectedRequest["query"]) =>
    listEnabled(pairs).map(({ name, value }) => ({ name, in: place, value: writeTemplate(value, resolve) }));
  const parameters = [
    ...list("path", request.pathParameters),
    ...list("query", request.query),
    ...list("header", request.headers),
    ...list("cookie", request.cookies),
  ];
  if (authorization.kind === "bearer") {
    const value = writeTemplate(`Bearer ${authorization.secret}`, resolve);
    parameters.push({ name: "Authorization", in: "header", value });
  } else if (authorization.kind === "apiKey") {
    const { name, secret } = authorization;
    parameters.push({ name, in: authorization.in, value: writeTemplate(secret, resolve) });
  } else if (authorization.kind !== "inherit" && authorization.kind !== "none") {
    losses.add(of, "authorization", "Arazzo leaves it to who runs the workflow, by the security of the document.");
  }
  return [...new Map(parameters.map((parameter) => [JSON.stringify(parameter), parameter])).values()];
}

function writeBody({ body, bodyFile, name }: CollectedRequest, resolve: Resolve, losses: Losses): Json {
  if (bodyFile) {
    losses.add(name, `file ${bodyFile.name}`, "A payload of Arazzo is a value, not a file.");
    return {};
  }
  const toObject = (pairs: { name: string; value: string }[]) =>
    Object.fromEntries(pairs.map((pair) => [pair.name, writeTemplate(pair.value, resolve)]));
  switch (body.kind) {
    case "none":
      return {};
    case "json": {
      const contentType = body.mediaType || "application/json";
      try {
        return { requestBody: { contentType, payload: writePayload(JSON.parse(body.text), resolve) } };
      } catch {
        // A placeholder stands for a number or an object.
        return { requestBody: { contentType, payload: writeTemplate(body.text, resolve) } };
      }
    }
    case "text":
      return { requestBody: { contentType: body.mediaType, payload: writeTemplate(body.text, resolve) } };
    case "form": {
      const payload = toObject(listEnabled(body.fields));
      return { requestBody: { contentType: "application/x-www-form-urlencoded", payload } };
    }
    case "multipart": {
      const parts = listEnabled(body.parts);
      for (const part of parts) {
        if (part.fromFile) losses.add(name, `file ${part.fileName ?? part.name}`, "A payload is a value, not a file.");
      }
      const payload = toObject(parts.filter(({ fromFile }) => !fromFile));
      return { requestBody: { contentType: "multipart/form-data", payload } };
    }
  }
}
