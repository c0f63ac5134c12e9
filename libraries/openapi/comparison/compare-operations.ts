import type { DescribedOperation, MediaTypeContent } from "#contracts/api-registry/operations.ts";
import { ChangeReasons } from "./change-reasons.ts";
import { SchemaComparison, type SchemaSides } from "./compare-schemas.ts";
import { compareServers, type ServerSides } from "./compare-servers.ts";

/** Differences of one operation between two versions of its document, from the point of view of its callers. */
export function compareOperations(
  before: DescribedOperation,
  after: DescribedOperation,
  sides: SchemaSides,
  servers: ServerSides,
): { breaking: boolean; reasons: string[] } {
  const reasons = new ChangeReasons();
  compareParameters(before, after, sides, reasons);
  compareBodies(before, after, sides, reasons);
  compareResponses(before, after, sides, reasons);
  compareSecurity(before, after, reasons);
  if (after.deprecated && !before.deprecated) reasons.notes("It is deprecated now.");
  if (before.deprecated && !after.deprecated) reasons.notes("It is no longer deprecated.");
  if (before.operationId !== after.operationId) {
    reasons.notes(`Its operationId changed from ${before.operationId ?? "none"} to ${after.operationId ?? "none"}.`);
  }
  const moved = compareServers(before.servers, after.servers, servers);
  if (moved) reasons.notes(moved);
  if (reasons.reasons.length === 0)
    reasons.notes("Only texts, examples or details that callers don't depend on changed.");
  return { breaking: reasons.breaking, reasons: reasons.finish() };
}

function compareParameters(
  before: DescribedOperation,
  after: DescribedOperation,
  sides: SchemaSides,
  reasons: ChangeReasons,
): void {
  const toKey = (parameter: DescribedOperation["parameters"][number]) =>
    `${parameter.in} parameter "${parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name}"`;
  const old = new Map(before.parameters.map((parameter) => [toKey(parameter), parameter]));
  const now = new Map(after.parameters.map((parameter) => [toKey(parameter), parameter]));
  for (const [key, parameter] of now) {
    const known = old.get(key);
    if (!known) {
      if (parameter.required) reasons.breaks(`The ${key} is new and required.`);
      else reasons.notes(`The ${key} is new.`);
      continue;
    }
    if (parameter.required && !known.required) reasons.breaks(`The ${key} is required now.`);
    if (!parameter.required && known.required) reasons.notes(`The ${key} is no longer required.`);
    if (parameter.style !== known.style || parameter.explode !== known.explode) {
      reasons.breaks(`The ${key} is written differently: ${getStyle(known)} became ${getStyle(parameter)}.`);
    }
    new SchemaComparison(sides, "request", reasons).compare(known.schema, parameter.schema, `the ${key}`);
  }
  for (const key of old.keys()) if (!now.has(key)) reasons.breaks(`The ${key} is gone.`);
}

function getStyle({ style, explode }: { style: string; explode: boolean }): string {
  return explode ? `${style}, exploded` : style;
}

function compareBodies(
  before: DescribedOperation,
  after: DescribedOperation,
  sides: SchemaSides,
  reasons: ChangeReasons,
): void {
  const [old, now] = [before.requestBody, after.requestBody];
  if (!old && now) {
    if (now.required) reasons.breaks("It needs a request body now.");
    else reasons.notes("It takes a request body now.");
  }
  if (old && !now) reasons.breaks("It takes no request body any more.");
  if (!old || !now) return;
  if (now.required && !old.required) reasons.breaks("The request body is required now.");
  if (!now.required && old.required) reasons.notes("The request body is no longer required.");
  compareContent(old.content, now.content, "the request body", "request", sides, reasons);
}

function compareContent(
  before: MediaTypeContent[],
  after: MediaTypeContent[],
  called: string,
  direction: "request" | "response",
  sides: SchemaSides,
  reasons: ChangeReasons,
): void {
  const now = new Map(after.map((content) => [content.mediaType, content]));
  for (const { mediaType, schema } of before) {
    const other = now.get(mediaType);
    if (!other) reasons.breaks(`${called[0]!.toUpperCase()}${called.slice(1)} can no longer be ${mediaType}.`);
    else new SchemaComparison(sides, direction, reasons).compare(schema, other.schema, called);
    now.delete(mediaType);
  }
  for (const mediaType of now.keys()) {
    reasons.notes(`${called[0]!.toUpperCase()}${called.slice(1)} can be ${mediaType} now.`);
  }
}

function compareResponses(
  before: DescribedOperation,
  after: DescribedOperation,
  sides: SchemaSides,
  reasons: ChangeReasons,
): void {
  const now = new Map(after.responses.map((response) => [response.status, response]));
  for (const response of before.responses) {
    const other = now.get(response.status);
    now.delete(response.status);
    if (!other) {
      reasons.breaks(`The response ${response.status} is no longer documented.`);
      continue;
    }
    const called = `the response ${response.status}`;
    compareContent(response.content, other.content, called, "response", sides, reasons);
    const headers = new Set(other.headers.map(({ name }) => name.toLowerCase()));
    for (const { name } of response.headers) {
      if (!headers.has(name.toLowerCase())) reasons.breaks(`The header ${name} of ${called} is gone.`);
    }
  }
  for (const status of now.keys()) reasons.notes(`The response ${status} is new.`);
}

function compareSecurity(before: DescribedOperation, after: DescribedOperation, reasons: ChangeReasons): void {
  const getName = (alternative: DescribedOperation["security"][number]) =>
    alternative
      .map(({ schemeName, scopes }) => (scopes.length > 0 ? `${schemeName} (${scopes.join(", ")})` : schemeName))
      .join(" with ");
  const wantsNothing = (operation: DescribedOperation) =>
    operation.security.length === 0 || operation.security.some((alternative) => alternative.length === 0);
  const [old, now] = [before.security.map(getName), after.security.map(getName)];
  if (old.join() === now.join()) return;
  if (wantsNothing(before) && !wantsNothing(after)) reasons.breaks(`It needs authorization now: ${now.join(" or ")}.`);
  else if (!wantsNothing(before) && wantsNothing(after)) reasons.notes("It needs no authorization any more.");
  else {
    const removed = old.filter((one) => !now.includes(one));
    const words = `Its authorization changed from ${old.join(" or ")} to ${now.join(" or ")}.`;
    if (removed.length > 0) reasons.breaks(words);
    else reasons.notes(words);
  }
}
