import type { Consumer, Evidence, Resource } from "#contracts/api-registry/resources.ts";
import { isShared, toPlain, toReferredThing, toSingular } from "../names.ts";
import { type FoundResource, parameterOf, toKey } from "./find-resources.ts";
import type { ReadLink } from "./links.ts";
import { anyItem, type Member } from "./members.ts";
import type { OperationFacts } from "./operation-facts.ts";

interface Known {
  found: ReadonlyMap<string, FoundResource>;
  /** Key of a resource → key of the one whose identifier it has. */
  sources: ReadonlyMap<string, string>;
  resources: readonly Resource[];
  links: readonly ReadLink[];
}

/** What proves who asks refers to nothing. */
const proof = /^(token|secret|password|code|key)$/;

const maxBodyConsumers = 50;
/** Compared with each member that names their thing. */
const maxCandidates = 200;

/** Every place of a request that wants the identifier of a resource. */
export function findConsumers(operations: readonly OperationFacts[], known: Known): Consumer[] {
  const things = new Things(known);
  const linked = new Map(known.links.map((link) => [placeOf(link.to, link.in, link.parameter), link]));
  return operations.flatMap((operation) => {
    const { method, path } = operation;
    const consumers: Consumer[] = [];
    const add = (consumer: Omit<Consumer, "operation">) => {
      const link = linked.get(placeOf(operation, consumer.in, consumer.name));
      const evidence: Evidence = link ? { kind: "link", name: link.name } : consumer.evidence;
      consumers.push({ operation: { method, path }, ...consumer, evidence });
    };
    for (const [at, segment] of operation.segments.entries()) {
      const name = parameterOf(segment);
      const key = name === undefined ? undefined : known.sources.get(toKey(operation.segments.slice(0, at + 1)));
      if (name === undefined || key === undefined) continue;
      add({ in: "path", name, required: true, resource: key, evidence: { kind: "path" } });
    }
    for (const { name, in: location, required, component } of operation.parameters) {
      if (location === "path" || location === "querystring") continue;
      const link = linked.get(placeOf(operation, location, name));
      const resource = link ? things.producedBy(link) : things.find(operation, name, component);
      if (resource) add({ in: location, name, required, resource: resource.key, evidence: { kind: "name", name } });
    }
    for (const member of operation.request.members.slice(0, 200)) {
      if (member.direction === "response" || consumers.length >= maxBodyConsumers) continue;
      const resource = things.findForMember(operation, member);
      // What is made has no identifier yet.
      if (!resource || (isCreate(operation, resource) && member.steps.length === 1)) continue;
      const evidence: Evidence = { kind: "name", name: toName(member) };
      add({ in: "body", name: toPointer(member.steps), required: member.required, resource: resource.key, evidence });
    }
    return consumers;
  });
}

const placeOf = ({ method, path }: OperationFacts, location: string, name: string) =>
  `${method} ${path} ${location} ${name}`;

const isCreate = ({ method, path }: OperationFacts, { operations: { create } }: Resource) =>
  create?.method === method && create.path === path;

const toName = ({ steps }: Member) => steps.filter((step) => step !== anyItem).join(".");

/** RFC 6901, with `-` for any item of a list. */
export const toPointer = (steps: readonly string[]) =>
  steps.map((step) => (step === anyItem ? "/-" : `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`)).join("");

/** Whether one is identified by its identifier alone: an operation says so. */
const isWhole = ({ operations: { create, read, change, replace, remove } }: Resource) =>
  [create, read, change, replace, remove].some((operation) => operation !== undefined);

/** Finds the resource that a name refers to; only those whose identifier some response gives. */
class Things {
  readonly #byThing = new Map<string, { resource: Resource; segments: string[]; isPlainText: boolean }[]>();
  readonly #byComponent = new Map<string, Resource>();
  readonly #byProducer = new Map<string, Resource>();

  constructor({ found, resources }: Known) {
    for (const resource of resources) {
      const { thing, component, isPlainText } = found.get(resource.key)!;
      if (resource.source !== resource.key) continue;
      if (component !== undefined) this.#byComponent.set(component, resource);
      for (const { operation } of resource.producers) {
        this.#byProducer.set(`${operation.method} ${operation.path}`, resource);
      }
      if (resource.producers.length === 0) continue;
      const key = toSingular(thing);
      const all = this.#byThing.get(key) ?? [];
      if (all.length < maxCandidates) all.push({ resource, segments: resource.key.split("/"), isPlainText });
      this.#byThing.set(key, all);
    }
  }

  /** The resource whose identifier a link takes from a response. */
  producedBy({ from }: ReadLink): Resource | undefined {
    return this.#byProducer.get(`${from.method} ${from.path}`);
  }

  find(operation: OperationFacts, name: string, component: string | undefined): Resource | undefined {
    const known = component === undefined ? undefined : this.#byComponent.get(component);
    if (known) return known;
    const thing = toReferredThing(name);
    return thing === undefined ? undefined : this.#nearest(operation, thing);
  }

  /** `authorId`, or `id` in `author`; the identifier of the body's own object is no reference. */
  findForMember(operation: OperationFacts, { steps, reference, isPlainText }: Member): Resource | undefined {
    const names = steps.filter((step) => step !== anyItem);
    const last = names.at(-1);
    if (last === undefined) return undefined;
    const above = names.at(-2);
    const isIdentifier = ["id", "uuid", "guid"].includes(toPlain(last));
    if (isIdentifier) return above === undefined ? undefined : this.#nearest(operation, toPlain(above));
    return this.find(operation, last, reference) ?? (isPlainText ? this.#findNamed(operation, last) : undefined);
  }

  /** `project` and an item of `features`, where those are known by a text. */
  #findNamed(operation: OperationFacts, name: string): Resource | undefined {
    const thing = toPlain(name);
    const isKnown = this.#byThing.get(toSingular(thing))?.some((one) => one.isPlainText);
    // A part of an identifier, such as the method of `/operations/{method}/{path}`, identifies nothing by itself.
    return isKnown && !isShared(name) && !proof.test(thing)
      ? this.#nearest(operation, thing, ({ resource, isPlainText }) => isPlainText && isWhole(resource))
      : undefined;
  }

  /** The one with the longest common path, then the outermost. */
  #nearest(
    { segments }: OperationFacts,
    thing: string,
    isWanted: (one: { resource: Resource; isPlainText: boolean }) => boolean = () => true,
  ): Resource | undefined {
    const key = toKey(segments).split("/");
    const shared = (other: string[]) => {
      const end = other.findIndex((segment, at) => segment !== key[at]);
      return end < 0 ? other.length : end;
    };
    const candidates = this.#byThing.get(toSingular(thing)) ?? [];
    return candidates
      .filter(isWanted)
      .map((one) => ({ ...one, rank: [-shared(one.segments), one.segments.length] as const }))
      .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])[0]?.resource;
  }
}
