import type { DescribedOperation, MediaTypeContent } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import { canonicalText } from "../../json/write-json.ts";
import { type Change, Changes } from "./changes.ts";
import { type ComparedBody, compareBodies } from "./compare-bodies.ts";
import { compareParameters } from "./compare-parameters.ts";
import { type ComparedResponse, compareResponses } from "./compare-responses.ts";
import { compareSecurity } from "./compare-security.ts";
import { compareServers } from "./compare-servers.ts";
import { listRenamed, toTemplate } from "./match-operations.ts";
import type { OperationContext } from "./operation-context.ts";
import type { Role } from "./roles.ts";

export interface OperationDifferences {
  breaking: boolean;
  /** The breaking ones first. */
  changes: Change[];
  /** Those that are left out. */
  moreCount: number;
}

/** Differences of one operation between two versions of its document, from the point of view of its clients. */
export function compareOperations(
  before: DescribedOperation,
  after: DescribedOperation,
  { schemas, documents, role }: Pick<OperationContext, "schemas" | "documents"> & { role: Role },
): OperationDifferences {
  const changes = new Changes();
  let hasOtherTexts = toTexts(before) !== toTexts(after);
  const noteTexts = () => {
    hasOtherTexts = true;
  };
  const context: OperationContext = { schemas, documents, role, changes, noteTexts };
  const parameters = comparePaths(before, after, changes);
  compareParameters(parameters, after.parameters, context);
  compareBodies(before.requestBody, after.requestBody, context);
  compareResponses(before.responses, after.responses, context);
  if (role === "caller") {
    compareSecurity(before.security, after.security, context);
    compareServers(before, after, context);
    compareCallbacks(before.callbacks, after.callbacks, context);
  }
  if (after.deprecated && !before.deprecated) changes.add("operation.deprecated", "It is deprecated now.");
  if (before.deprecated && !after.deprecated) changes.add("operation.undeprecated", "It is no longer deprecated.");
  if (before.operationId !== after.operationId) {
    const sentence = `Its operationId changed from ${before.operationId ?? "none"} to ${after.operationId ?? "none"}.`;
    changes.add("operation.id-changed", sentence);
  }
  if (changes.count === 0 && hasOtherTexts) {
    changes.add("operation.texts", "Only texts, examples or details that callers don't depend on changed.");
  }
  return changes.finish();
}

/** @returns the parameters of before, with path parameters called as they are after */
function comparePaths(
  { path, parameters }: DescribedOperation,
  after: DescribedOperation,
  changes: Changes,
): DescribedOperation["parameters"] {
  if (path === after.path) return parameters;
  const renamed = listRenamed(path, after.path);
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  if (toTemplate(path) !== toTemplate(after.path)) {
    changes.add(
      "operation.moved",
      `A part of its address moved between servers and path: ${path} is ${after.path} now.`,
    );
  }
  for (const [name, other] of names) {
    const sentence = `The path parameter "${name}" is called "${other}" now, which no caller sends.`;
    changes.add("operation.parameter-renamed", sentence);
  }
  return parameters.map((one) => (one.in === "path" ? { ...one, name: names.get(one.name) ?? one.name } : one));
}

type Callback = DescribedOperation["callbacks"][number];

/** Requests that the API sends: what a client reads and sends is reversed. */
function compareCallbacks(before: Callback[], after: Callback[], caller: OperationContext): void {
  const context: OperationContext = { ...caller, role: "receiver" };
  const { changes } = context;
  const toKey = ({ name, expression, method }: Callback) => `${name}\n${expression}\n${method}`;
  const rest = new Map(after.map((callback) => [toKey(callback), callback]));
  for (const old of before) {
    const now = rest.get(toKey(old));
    rest.delete(toKey(old));
    const of = ` of the callback "${old.name}"`;
    if (!now) {
      changes.add("callback.removed", `The callback "${old.name}" (${old.method} ${old.expression}) was removed.`);
      continue;
    }
    const body = ({ requestBody }: Callback) => (requestBody ?? undefined) as ComparedBody | undefined;
    if (old.parameters && now.parameters) compareParameters(old.parameters, now.parameters, context, of);
    compareBodies(body(old), body(now), context, of);
    compareResponses(old.responses as ComparedResponse[], now.responses as ComparedResponse[], context, of);
  }
  for (const { name, method, expression } of rest.values()) {
    changes.add("callback.added", `The callback "${name}" (${method} ${expression}) is new.`);
  }
}

/** What no client depends on, beside the texts of schemas. */
function toTexts(operation: DescribedOperation): string {
  const ofContent = ({ examples }: MediaTypeContent) => examples;
  const { summary, description, tags, externalDocs, parameters, requestBody, responses, callbacks, servers } =
    operation;
  const texts = [
    ...[summary, description, tags, externalDocs],
    parameters.map((one) => [one.description, one.examples]),
    [requestBody?.description, requestBody?.content.map(ofContent)],
    responses.map((one) => [
      one.description,
      one.headers.map((header) => header.description),
      one.content.map(ofContent),
      one.links.map((link) => link.description),
    ]),
    callbacks.map((one) => [one.summary, one.description, one.responses.map((response) => response.description)]),
    servers.map((one) => [one.description, one.variables.map((variable) => variable.description)]),
  ];
  return canonicalText(JSON.parse(JSON.stringify(texts)) as Json);
}
