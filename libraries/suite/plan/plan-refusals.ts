import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { rowNameColumn } from "#libraries/template/placeholders.ts";
import { toVariable } from "../names.ts";
import { listBrokenRules, maxCreations } from "../negative/broken-rules.ts";
import { makeOpenTest } from "../negative/open-test.ts";
import { makeRefusingTest, type RefusingParts } from "../negative/refusing-test.ts";
import { CircleDraft, type PlanParts } from "./circle-draft.ts";
import { changesByGet } from "./effect-by-name.ts";
import { type OtherCredential, toKey } from "./known.ts";
import { refuse } from "./plan-life.ts";
import type { Draft } from "./planned-tests.ts";
import { withArticle } from "./words.ts";

/** Methods that may be missing at the path of one resource, for `PlanInput.undocumented`. */
export function listMethods({ operations: { read } }: Resource): OperationKey[] {
  return read?.path.includes("{") ? ["put", "patch"].map((method) => ({ method, path: read.path })) : [];
}

/** A request that may be accepted though it is invalid: the names under which it captures what it made. */
interface Accepted {
  captures: TestInput["captures"];
  /** With what its row is named after. */
  names: { name: string; says: string }[];
}

/**
 * Requests that break one rule of the document each, and those without credentials: reads of what is there, and of a
 * resource that the run makes and removes also those that create or change it. What is made although it is invalid is
 * captured and removed again.
 */
export function planRefusals(
  resource: Resource | undefined,
  operations: readonly OperationKey[],
  parts: PlanParts,
): CircleDraft {
  const circle = new CircleDraft(parts);
  const accepted: Accepted["names"] = [];
  const last: (() => void)[] = [];
  for (const operation of operations) {
    if (!isOffered(operation, parts)) continue;
    if (isSafe(operation.method)) {
      addRows(circle, operation, parts, undefined);
      last.push(() => addOpen(circle, operation, parts, undefined));
    } else if (resource && isOwnChange(operation, resource, parts)) {
      const made = findMade(operation, resource, parts);
      const isCreation = toKey(operation) === toKey(resource.operations.create ?? { method: "", path: "" });
      if (isCreation && !made) continue;
      if (operation.method !== "delete") accepted.push(...(addRows(circle, operation, parts, made)?.names ?? []));
      last.push(() => accepted.push(...(addOpen(circle, operation, parts, made)?.names ?? [])));
    }
  }
  if (resource) addMethod(circle, resource, parts);
  if (resource) for (const add of listOthers(circle, resource, parts)) last.push(add);
  // What is accepted without credentials changes or removes what the others need.
  for (const add of last) add();
  if (resource && accepted.length > 0) addRemoval(circle, resource, accepted, parts);
  return circle;
}

function isOffered(operation: OperationKey, { known }: PlanParts): boolean {
  const described = known.operations.get(toKey(operation));
  return described !== undefined && !changesByGet({ ...operation, summary: described.operation.summary });
}

/** Creates or changes a resource of which the run makes one and removes it, by roles whose effect is known. */
function isOwnChange(operation: OperationKey, resource: Resource, { known, supplies }: PlanParts): boolean {
  const { create, change, replace, remove } = resource.operations;
  const roles = [create, change, replace, remove].flatMap((one) => (one ? [toKey(one)] : []));
  const isCreation = create !== undefined && toKey(operation) === toKey(create);
  // A row doesn't show what its body names.
  const isOwn = isCreation || known.resourcesInPath(operation).at(-1)?.key === resource.key;
  return (
    isOwn &&
    roles.includes(toKey(operation)) &&
    supplies.find(resource)?.kind === "make" &&
    supplies.isRemoved(resource)
  );
}

/** Captures of a creation; undefined if what it creates can't be identified, or can't be removed by itself. */
function findMade(operation: OperationKey, resource: Resource, { supplies, tests }: PlanParts) {
  const maker = supplies.findMaker(resource);
  if (!maker || toKey(maker.operation) !== toKey(operation) || operation.method !== "post") return undefined;
  const { remove } = resource.operations;
  const removal = remove && tests.calls.find(remove);
  if (!removal || maker.producer.from === "sent") return undefined;
  return tests.create(maker).test.captures;
}

function addRows(
  circle: CircleDraft,
  operation: OperationKey,
  parts: PlanParts,
  made: TestInput["captures"] | undefined,
): Accepted | undefined {
  const { known, tests } = parts;
  const described = known.operations.get(toKey(operation))!;
  const call = tests.calls.find(operation);
  if (!call || call.gaps.length > 0) return undefined;
  const rules = listBrokenRules(described, call).slice(0, made ? maxCreations : undefined);
  const refusing = makeRefusingTest(described, call, rules);
  if (!refusing) return undefined;
  const accepted = made && nameAccepted(made, refusing.data);
  const changes = { ...refusing, captures: accepted?.captures ?? [] };
  return add(circle, tests.call(operation, { kind: "refuse", ...changes }), parts, accepted);
}

/** A method that the path does not have, on what the run made. */
function addMethod(circle: CircleDraft, resource: Resource, parts: PlanParts): void {
  const { read, remove } = resource.operations;
  if (!read || !remove || !isOwnChange(remove, resource, parts)) return;
  const missing = listMethods(resource).find((one) => parts.known.isUndocumented(one));
  const call = missing && parts.tests.calls.find(read);
  if (!call) return;
  const { method, path } = missing;
  const name = toDisplayName(`${method.toUpperCase()} ${path} is refused: the document has no such method`, 300);
  const changes = { ...{ name, method, assertions: [], captures: [] }, checks: ["negative_data_rejection" as const] };
  add(circle, parts.tests.call(read, { kind: `method ${method}`, ...changes }), parts, undefined);
}

function addOpen(
  circle: CircleDraft,
  operation: OperationKey,
  parts: PlanParts,
  made: TestInput["captures"] | undefined,
): Accepted | undefined {
  const { known, tests } = parts;
  const call = tests.calls.find(operation);
  const open = call && call.gaps.length === 0 ? makeOpenTest(known.operations.get(toKey(operation))!, call) : undefined;
  if (!open) return undefined;
  const accepted = made && nameAccepted(made, undefined);
  const changes = { ...open, captures: accepted?.captures ?? [] };
  return add(circle, tests.call(operation, { kind: "open", ...changes }), parts, accepted);
}

/**
 * What the run made is neither read nor changed by the credential of another account, where another one is stored. What
 * removes it comes last.
 */
function listOthers(circle: CircleDraft, resource: Resource, parts: PlanParts): (() => void)[] {
  const { known, supplies, tests } = parts;
  const { read, change, replace, remove } = resource.operations;
  if (supplies.find(resource)?.kind !== "make") return [];
  return [read, change, replace, remove].flatMap((operation) => {
    const described = operation && known.operations.get(toKey(operation))?.operation;
    const isOwn = operation !== undefined && known.resourcesInPath(operation).at(-1)?.key === resource.key;
    const bindings = described && isOwn ? bindOthers(described.security, known) : undefined;
    const call = operation && tests.calls.find(operation);
    if (!described || !bindings || !call || call.gaps.length > 0) return [];
    const { method, path } = described;
    const [{ name: credential }] = bindings;
    const name = toDisplayName(`${method.toUpperCase()} ${path} refuses ${credential}, another account's`, 300);
    const authorization = {
      kind: "credentials" as const,
      bindings: bindings.map(({ schemeName, credentialId }) => ({ schemeName, credentialId })) as [never],
    };
    const assertions: TestInput["assertions"] = [
      { source: "statusCode", comparison: "oneOf", target: [401, 403, 404, 410] },
    ];
    const request = { ...call.test.request, authorization };
    const changes = { name, request, assertions, captures: [], checks: ["not_a_server_error" as const] };
    return () => {
      const why = `${credential} is stored for this host, too. Leave this out if both belong to one account.`;
      add(circle, tests.call(described, { kind: "other", own: resource, ...changes }), parts, undefined, why);
    };
  });
}

/** Other credentials for all schemes of one alternative. */
function bindOthers(
  security: readonly { schemeName: string }[][],
  { otherCredentials }: PlanParts["known"],
): [OtherCredential, ...OtherCredential[]] | undefined {
  for (const alternative of security) {
    const others = alternative.map(({ schemeName }) => otherCredentials.find((one) => one.schemeName === schemeName));
    const [first, ...rest] = others;
    if (first && rest.every((one) => one !== undefined)) return [first, ...(rest as OtherCredential[])];
  }
  return undefined;
}

function add(
  circle: CircleDraft,
  draft: Draft | undefined,
  parts: PlanParts,
  accepted: Accepted | undefined,
  why = "",
) {
  const { supplies } = parts;
  if (!draft || refuse(draft, undefined, parts) !== undefined) return undefined;
  // Nothing is made for the sake of an invalid request that would stay.
  if (draft.resources.some((one) => supplies.find(one)?.kind === "make" && !supplies.isRemoved(one))) return undefined;
  circle.add("refuse", draft, { why, ...(accepted ? { effect: "makes" as const } : {}) });
  return accepted;
}

/** The captures of a creation, each under a name of its own in each row, and of what finds nothing where it is refused. */
function nameAccepted(made: TestInput["captures"], data: RefusingParts["data"] | undefined): Accepted {
  const words = data ? "accepted" : "open";
  const [own] = made;
  const name = toVariable([words, own?.name ?? ""]);
  const captures = made.map((one) => ({ ...one, name: data ? `${name}#` : name, optional: true }));
  const names = data
    ? data.map((row, index) => ({ name: `${name}${index + 1}`, says: row[rowNameColumn] ?? "" }))
    : [{ name, says: "no credentials" }];
  return { captures, names };
}

/** Removes what was accepted, one row for each that may have been. */
function addRemoval(circle: CircleDraft, resource: Resource, accepted: Accepted["names"], { tests }: PlanParts): void {
  const { remove } = resource.operations;
  const call = remove && tests.calls.find(remove);
  if (!call) return;
  const column = toVariable(["accepted", resource.variable]);
  const own = `{{${resource.variable}}}`;
  const request = JSON.parse(JSON.stringify(call.test.request).replaceAll(own, `{{${column}}}`));
  const data = accepted.map(({ name, says }) => ({ [rowNameColumn]: says, [column]: `{{${name}}}` }));
  const name = `Delete ${withArticle(resource.name)} that was accepted although it is invalid`;
  const draft = tests.call(remove, { kind: "remove accepted", own: resource, name, request, data });
  if (draft) circle.add("remove", draft, { phase: "tearDown" });
}
