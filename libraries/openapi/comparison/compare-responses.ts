import type { OperationResponse } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import { canonicalText } from "../../json/write-json.ts";
import { compareContent } from "./compare-content.ts";
import type { OperationContext } from "./operation-context.ts";
import { getDirections, toRule } from "./roles.ts";

/** Of a callback, headers, content and links may be unknown. */
export type ComparedResponse = Pick<OperationResponse, "status"> & Partial<OperationResponse>;

/**
 * A response that is new breaks no client: one that doesn't know a status takes it as the first of its class
 * (RFC 9110, 15).
 */
export function compareResponses(
  before: readonly ComparedResponse[],
  after: readonly ComparedResponse[],
  context: OperationContext,
  of = "",
): void {
  const { changes, role } = context;
  const known = new Set<string>();
  for (const response of before) {
    const { status } = response;
    const called = `the response ${status}${of}`;
    const other = after.find((one) => isSameStatus(one.status, status)) ?? findCovering(status, after);
    if (!other) {
      changes.add(toRule(role, "response.removed"), `T${called.slice(1)} is no longer documented.`);
      continue;
    }
    known.add(other.status);
    if (!isSameStatus(other.status, status))
      changes.add("response.covered", `T${called.slice(1)} is documented as ${other.status} now.`);
    compareResponse(response, other, called, context);
  }
  for (const { status } of after) {
    if (known.has(status) || before.some((one) => isSameStatus(one.status, status))) continue;
    changes.add(toRule(role, "response.added"), `The response ${status}${of} is new.`);
  }
}

const isSameStatus = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

function findCovering(status: string, all: readonly ComparedResponse[]): ComparedResponse | undefined {
  const range = /^\d/.test(status) ? `${status[0]}XX` : undefined;
  return all.find((one) => one.status.toUpperCase() === range) ?? all.find((one) => one.status === "default");
}

function compareResponse(
  old: ComparedResponse,
  now: ComparedResponse,
  called: string,
  context: OperationContext,
): void {
  const direction = getDirections(context.role).response;
  if (old.content && now.content) compareContent(old.content, now.content, direction, called, context);
  if (context.role === "receiver") return;
  compareHeaders(old.headers ?? [], now.headers ?? [], called, context);
  compareLinks(old.links ?? [], now.links ?? [], called, context.changes);
}

function compareHeaders(
  before: OperationResponse["headers"],
  after: OperationResponse["headers"],
  called: string,
  context: OperationContext,
): void {
  const { changes, schemas } = context;
  const rest = new Map(after.map((header) => [header.name.toLowerCase(), header]));
  for (const old of before) {
    const key = old.name.toLowerCase();
    const now = rest.get(key);
    rest.delete(key);
    const name = `the header ${old.name} of ${called}`;
    const subject = `T${name.slice(1)}`;
    if (!now) {
      changes.add("response.header.removed", `${subject} was removed.`);
      continue;
    }
    if (old.required && !now.required) changes.add("response.header.optional", `${subject} is no longer required.`);
    if (!old.required && now.required) changes.add("response.header.required", `${subject} is now always present.`);
    const [was, is] = [old, now].map(
      ({ contentMediaType, explode }) => contentMediaType ?? (explode ? "exploded" : ""),
    );
    if (was !== is) changes.add("response.header.serialization-changed", `${subject} is written differently.`);
    schemas.compare(old.schema, now.schema, "response", name, context);
  }
  for (const { name } of rest.values()) changes.add("response.header.added", `The header ${name} of ${called} is new.`);
}

function compareLinks(
  before: OperationResponse["links"],
  after: OperationResponse["links"],
  called: string,
  changes: OperationContext["changes"],
): void {
  const rest = new Map(after.map((link) => [link.name, link]));
  for (const old of before) {
    const now = rest.get(old.name);
    rest.delete(old.name);
    const subject = `The link "${old.name}" of ${called}`;
    if (!now) changes.add("link.removed", `${subject} was removed.`);
    else if (toText(old) !== toText(now))
      changes.add("link.changed", `${subject} leads elsewhere, or takes other values.`);
  }
  for (const name of rest.keys()) changes.add("link.added", `The link "${name}" of ${called} is new.`);
}

function toText({ description: _, name: __, ...link }: OperationResponse["links"][number]): string {
  return canonicalText(JSON.parse(JSON.stringify(link)) as Json);
}
