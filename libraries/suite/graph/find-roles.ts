import type { Evidence, OperationKey, Producer, Resource } from "#contracts/api-registry/resources.ts";
import { isSameThing, toPlain } from "../names.ts";
import { findIdentifier, type Identifier } from "./find-identifier.ts";
import type { FoundResource, Paths } from "./find-resources.ts";
import type { ReadLink } from "./links.ts";
import { anyItem, toJsonPath } from "./members.ts";
import type { OperationFacts } from "./operation-facts.ts";

/** A resource with what its operations do, and which responses have its identifier. */
export interface RolesOfResource {
  found: FoundResource;
  component: string | undefined;
  operations: Resource["operations"];
  producers: Producer[];
}

interface Surroundings {
  paths: Paths;
  /** By the component of their response. */
  byResponse: ReadonlyMap<string, OperationFacts[]>;
  links: readonly ReadLink[];
}

export const maxProducers = 6;
const makingWords = /^(create|add|new|register|insert)$/;

const toOperationKey = ({ method, path }: OperationKey): OperationKey => ({ method, path });
const ofMethod = (operations: readonly OperationFacts[], method: string) =>
  operations.find((operation) => operation.method === method);

export function findRoles(found: FoundResource, surroundings: Surroundings): RolesOfResource {
  const { atItem, atCollection } = found;
  const read = ofMethod(atItem, "get");
  const own = findList(ofMethod(atCollection, "get"), found);
  const item = read && findIdentifier(read.response.members, found, false);
  const component = item?.member.owner ?? own?.listed?.member.owner ?? read?.response.component;
  const create = findCreate(found, component, surroundings);
  // Of `/tasks/{id}`, what is made at `/projects/{id}/tasks` is listed there, too.
  const list = own ?? (create && findList(findBeside(create, surroundings), found, true));
  const whole = atCollection.filter((operation) => changesByBody(operation, found, component));
  const operations: Resource["operations"] = {};
  const add = (role: keyof typeof operations, operation: OperationFacts | undefined) => {
    if (operation) operations[role] = toOperationKey(operation);
  };
  add("list", list?.listing);
  add("create", create);
  add("read", read);
  add(
    "change",
    ofMethod(atItem, "patch") ??
      (create === undefined || create.method !== "put" ? ofMethod(atItem, "post") : undefined) ??
      ofMethod(whole, "patch"),
  );
  add("replace", ofMethod(atItem, "put") ?? ofMethod(whole, "put"));
  add("remove", ofMethod(atItem, "delete"));
  const producers = listProducers(found, { create, ...list, component }, surroundings);
  return { found, component, operations, producers };
}

/** @param isKnown only one that is described as having some */
function findList(
  listing: OperationFacts | undefined,
  found: FoundResource,
  isKnown = false,
): { listing: OperationFacts; listed: Identifier | undefined } | undefined {
  if (!listing) return undefined;
  const listed = findIdentifier(listing.response.members, found, true);
  const isList = listed?.member.steps.includes(anyItem) ?? (!isKnown && !listing.response.isDescribed);
  return isList ? { listing, listed } : undefined;
}

const findBeside = (create: OperationFacts, { paths }: Surroundings) =>
  ofMethod(paths.get(create.path.replace(/\{[^{}]*\}/g, "{}")) ?? [], "get");

function findCreate(
  found: FoundResource,
  component: string | undefined,
  { paths, byResponse, links }: Surroundings,
): OperationFacts | undefined {
  const { key, collectionKey, atItem, atCollection, thing } = found;
  const gives = (operation: OperationFacts) =>
    findIdentifier(operation.response.members, found, false)?.member.steps.includes(anyItem) === false;
  const post = ofMethod(atCollection, "post");
  if (post && (atItem.length > 0 || post.creates || post.hasLocation || gives(post))) return post;
  const linked = links.find(({ resource, from }) => resource === key && from.method === "post" && from.creates);
  if (linked) return linked.from;
  for (const word of ["create", "add", "new", "register"]) {
    const making = ofMethod(paths.get(`${collectionKey}/${word}`) ?? [], "post");
    if (making) return making;
  }
  const alike = component === undefined ? [] : (byResponse.get(component) ?? []);
  const elsewhere = alike.filter(
    (operation) =>
      operation.method === "post" &&
      !operation.path.startsWith(`${found.item}/`) &&
      (operation.creates || operation.segments.some((segment) => makingWords.test(segment))) &&
      isSameThing(
        toPlain(operation.segments.findLast((segment) => !segment.includes("{") && !makingWords.test(segment)) ?? ""),
        thing,
      ) &&
      gives(operation),
  );
  if (elsewhere[0]) return elsewhere[0];
  // The client chooses the identifier.
  const put = ofMethod(atItem, "put");
  return put?.creates && ofMethod(atItem, "get") ? put : undefined;
}

/** Whether it changes one thing that its body names, as `PUT /pet` with the pet's id. */
function changesByBody(
  { method, request }: OperationFacts,
  found: FoundResource,
  component: string | undefined,
): boolean {
  if ((method !== "put" && method !== "patch") || component === undefined || request.component !== component)
    return false;
  const identifier = findIdentifier(request.members, found, false);
  return identifier?.member.steps.length === 1;
}

interface Found {
  create: OperationFacts | undefined;
  listing?: OperationFacts | undefined;
  listed?: Identifier | undefined;
  component: string | undefined;
}

/** The best first: what makes one, what the document links, what lists them. */
function listProducers(
  found: FoundResource,
  { create, listing, listed, component }: Found,
  { byResponse, links }: Surroundings,
): Producer[] {
  const producers: Producer[] = [];
  const add = (operation: OperationFacts, producer: Omit<Producer, "operation">) => {
    const isKnown = producers.some(
      (one) => one.operation.method === operation.method && one.operation.path === operation.path,
    );
    if (!isKnown) producers.push({ operation: toOperationKey(operation), ...producer });
  };
  for (const { name, from, value, resource } of links) {
    if (resource !== found.key) continue;
    const path = value.from === "body" ? value.path : "";
    add(from, { from: value.from, path, many: path.includes("[*]"), evidence: { kind: "link", name } });
  }
  const made = create && toMade(create, found, component);
  if (create && made) add(create, made);
  const given = listing && toIdentified(listed, component, true);
  if (listing && given) add(listing, given);
  const alike = component === undefined ? [] : (byResponse.get(component) ?? []);
  for (const operation of alike) {
    const isOwn = operation.method !== "get" || operation.segments.length === 0 || operation.path === found.item;
    const producer = isOwn ? undefined : toProducer(operation, found, component, false);
    if (producer && producer.evidence.kind !== "path") add(operation, producer);
  }
  return producers.sort((one, other) => rankOf(one, create) - rankOf(other, create)).slice(0, maxProducers);
}

/** What identifies a made one: the response, its header, or what the request chose. */
function toMade(
  create: OperationFacts,
  found: FoundResource,
  component: string | undefined,
): Omit<Producer, "operation"> | undefined {
  const given = toProducer(create, found, component, false);
  const elsewhere = { path: "", many: false, evidence: { kind: "path" } } as const;
  // A client that names it in the path knows it before the response.
  if (create.path === found.item) return { from: "sent", ...elsewhere };
  if (given) return given;
  if (create.hasLocation) return { from: "location", ...elsewhere };
  const sent = findIdentifier(create.request.members, found, false);
  const isChosen = sent?.member.required || toPlain(sent?.member.steps[0] ?? "") === toPlain(found.parameter);
  if (sent && isChosen && sent.member.steps.length === 1) {
    return { from: "sent", path: toJsonPath(sent.member.steps), many: false, evidence: sent.evidence };
  }
  return create.creates && !create.response.isDescribed ? { from: "location", ...elsewhere } : undefined;
}

const rankOf = ({ operation, many }: Producer, create: OperationFacts | undefined) =>
  operation.path === create?.path && operation.method === create.method ? 0 : many ? 1 : 2;

function toProducer(
  operation: OperationFacts,
  found: FoundResource,
  component: string | undefined,
  isList: boolean,
): Omit<Producer, "operation"> | undefined {
  const identifier = findIdentifier(operation.response.members, found, isList);
  if (identifier?.member.steps.includes(anyItem) && !isList) return undefined;
  return toIdentified(identifier, component, isList);
}

function toIdentified(
  identifier: Identifier | undefined,
  component: string | undefined,
  many: boolean,
): Omit<Producer, "operation"> | undefined {
  if (!identifier) return undefined;
  const { owner, steps } = identifier.member;
  const evidence: Evidence =
    component !== undefined && owner === component ? { kind: "schema", component } : identifier.evidence;
  return { from: "body", path: toJsonPath(steps), many, evidence };
}
