import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { splitName } from "../names.ts";
import { findChange } from "./changes.ts";
import { CircleDraft, type PlanParts, type StepOptions } from "./circle-draft.ts";
import { removesByPost } from "./effect-by-name.ts";
import { lastName, toKey } from "./known.ts";
import { askLargestPage, comesInPages } from "./lists.ts";
import { findDeletionMark, returnsList } from "./objects.ts";
import type { Draft } from "./planned-tests.ts";
import type { Supply } from "./supplies.ts";
import { inWords, withArticle } from "./words.ts";

/**
 * The life of a resource: create, read, in the list, change, read changed, further operations; then delete and gone.
 * @param others operations of one such resource that have no role in its life
 */
export function planLife(maker: Supply, others: readonly OperationKey[], parts: PlanParts): CircleDraft {
  const { known, tests } = parts;
  const { resource } = maker;
  const { operations } = resource;
  const circle = new CircleDraft(parts);
  const created = circle.makeOwn(maker);
  const describe = (operation: OperationKey) => known.operations.get(toKey(operation));
  const read = operations.read && describe(operations.read);
  const gone = findGone(circle, resource, read, parts);
  circle.unmake(resource, "main", { gone });
  if (operations.read) {
    const draft = tests.read(resource, operations.read, { by: created, maker });
    if (draft) circle.add("read", draft);
  }
  addList(circle, maker, parts);
  for (const role of ["change", "replace"] as const) {
    const operation = operations[role];
    if (operation && toKey(operation) !== toKey(maker.operation)) {
      addChange(circle, { operation, role, created, maker, read }, parts);
    }
  }
  addOthers(circle, resource, others, parts);
  if (operations.read && !gone) {
    const unknown = tests.findUnknown(resource, operations.read);
    if (unknown) circle.add("findUnknown", unknown);
  }
  return circle;
}

function addList(circle: CircleDraft, { resource }: Supply, { known, supplies, tests }: PlanParts): void {
  const { list } = resource.operations;
  const described = list && known.operations.get(toKey(list));
  if (!list || !described) return;
  const producer = resource.producers.find(({ operation, many }) => many && toKey(operation) === toKey(list));
  const parent = resource.parent === null ? undefined : known.findResource(resource.parent);
  // Only what this run made is in a list of its own.
  const isOwnList = parent !== undefined && list.path.includes("{") && supplies.find(parent)?.kind === "make";
  if (producer && (isOwnList || !comesInPages(described))) {
    const draft = tests.findInList(resource, producer);
    if (draft) circle.add("list", draft);
    return;
  }
  const draft = tests.call(list, { kind: "list", own: resource, ...askLargestPage(described, tests.calls.find(list)) });
  if (!draft) return;
  circle.add("list", draft);
  circle.omit(
    list,
    producer
      ? `It comes in pages: a new ${resource.name} may be on another one.`
      : `The document does not say where it has the identifiers.`,
  );
}

export interface Changing {
  operation: OperationKey;
  role: "change" | "replace";
  created: Draft;
  maker: Supply;
  read: OperationWithComponents | undefined;
}

/** What changes one that a run made; a reason where it can't be said, undefined where its request has nothing to change. */
export function draftChange(
  { operation, role, created, maker, read }: Changing,
  { known, tests }: PlanParts,
): { draft: Draft; member: string } | { reason: string } | undefined {
  const { resource } = maker;
  const described = known.operations.get(toKey(operation));
  const call = tests.calls.find(operation);
  if (!described || !call) return { reason: "The document does not describe it." };
  const isNamedByBody = known.resourcesInPath(operation).at(-1)?.key !== resource.key;
  const names = [known.bodyMemberOf(operation, resource), lastName(maker.producer.path), resource.parameter];
  const identities = { names: names.filter((name) => name !== undefined), variable: resource.variable };
  const change = findChange(described, call, {
    ...{ created: created.sent, reader: read, calls: tests.calls },
    // Without a word such as "id", a path's parameter may well be the name.
    kept: splitName(resource.parameter).identifier === "" ? [...identities.names, "name"] : identities.names,
    identities: isNamedByBody ? identities : undefined,
  });
  if (!change) {
    return isNamedByBody ? { reason: `Its request does not say which ${resource.name} it changes.` } : undefined;
  }
  const name = `${role === "change" ? "Change" : "Replace"} the ${resource.name}`;
  const { sent, generated, member, body } = change;
  const request = { ...call.test.request, body };
  const draft = tests.call(operation, { kind: role, own: resource, name, request, sent, generated });
  return draft && { draft, member };
}

function addChange(circle: CircleDraft, changing: Changing, parts: PlanParts): void {
  const { operation, role, maker } = changing;
  const { resource } = maker;
  const drafted = draftChange(changing, parts);
  if (!drafted) {
    addOthers(circle, resource, [operation], parts);
    return;
  }
  if ("reason" in drafted) {
    circle.omit(operation, drafted.reason);
    return;
  }
  const { draft, member } = drafted;
  circle.add("change", draft, { why: `It changes ${member}.` });
  const word = role === "change" ? "changed" : "replaced";
  const { read } = resource.operations;
  const after = read && parts.tests.read(resource, read, { by: draft, maker, change: word });
  if (after) circle.add("readChanged", after);
}

/** Reads first, then what changes it, then what removes parts of it. */
function addOthers(circle: CircleDraft, resource: Resource, others: readonly OperationKey[], parts: PlanParts): void {
  const rank = ({ method }: OperationKey) => (isSafe(method) ? 0 : method === "delete" ? 2 : 1);
  for (const operation of [...others].sort((one, other) => rank(one) - rank(other))) {
    const draft = parts.tests.call(operation, { own: resource });
    const refusal = draft ? refuse(draft, resource, parts) : "The document does not describe it.";
    if (!draft || refusal) circle.omit(operation, refusal ?? "");
    else if (removesByPost(operation)) circle.omit(operation, "It may remove what later steps need.");
    else circle.add("call", draft, allowJoining(operation, parts));
  }
}

/** What joins one of the run's own with something that is there changes its own only. */
function allowJoining(operation: OperationKey, { supplies }: PlanParts): StepOptions {
  const joined = isSafe(operation.method) ? undefined : supplies.findJoining(operation);
  return joined ? { effect: "allowed", why: `It changes ${withArticle(joined.name)} that the run creates.` } : {};
}

/** Why an operation has no step; undefined if it may have one. */
export function refuse({ operation, asks }: Draft, own: Resource | undefined, parts: PlanParts): string | undefined {
  const { known, supplies, tests } = parts;
  const [gap] = tests.calls.find(operation)?.gaps ?? [];
  if (gap) return `${gap.message}.`;
  if (isSafe(operation.method)) return undefined;
  const changed = supplies.findJoining(operation) ?? known.resourcesInPath(operation).at(-1);
  const isMade = changed !== undefined && (changed.key === own?.key || supplies.find(changed)?.kind === "make");
  if (operation.path.includes("{") && !isMade)
    return `It would change ${changed ? withArticle(changed.name) : "something"} that the run did not create.`;
  return asks.length > 0 ? `It needs ${inWords(asks)}, which only a person knows.` : undefined;
}

/** The test that expects it to be gone, where the document lets expect that. */
function findGone(
  circle: CircleDraft,
  resource: Resource,
  read: OperationWithComponents | undefined,
  { tests }: PlanParts,
): Draft | undefined {
  const { remove } = resource.operations;
  if (!read || !remove || returnsList(read)) return undefined;
  const marker = findDeletionMark(read);
  if (marker === undefined) return tests.findGone(resource, read.operation);
  circle.omit(remove, `A deleted ${resource.name} may still be found: its member ${marker} says so.`);
  return undefined;
}
