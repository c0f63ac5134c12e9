import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Resource } from "#contracts/api-registry/resources.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { toSingular, toVariable, toWords } from "../names.ts";
import { findConsumers } from "./find-consumers.ts";
import { findResources, groupByPath, proposeVariable } from "./find-resources.ts";
import { findRoles, maxProducers, type RolesOfResource } from "./find-roles.ts";
import type { SuiteGraph } from "./graph.ts";
import { readLinks } from "./links.ts";
import { MemberReader } from "./members.ts";
import { type OperationFacts, toFacts } from "./operation-facts.ts";

/**
 * Finds out which operation gives what another one needs: the resources of an API, what its operations are to them,
 * and every place of a request that wants the identifier of one. Joined by links, components, paths and names.
 */
export class GraphBuilder {
  readonly #reader: MemberReader;
  readonly #operations: OperationFacts[] = [];

  /** @param source the document's components */
  constructor(source: SampleSource) {
    this.#reader = new MemberReader(source);
  }

  add(operation: DescribedOperation): void {
    this.#operations.push(toFacts(operation, this.#reader));
  }

  finish(): SuiteGraph {
    const operations = this.#operations;
    const paths = groupByPath(operations);
    const found = findResources(operations, paths);
    const links = readLinks(operations, found);
    const byResponse = groupByComponent(operations);
    const all = [...found.values()].map((resource) => findRoles(resource, { paths, byResponse, links }));
    const sources = findSources(all);
    const resources = nameVariables(all.map((one) => toResource(one, sources)));
    const consumers = findConsumers(operations, { found, sources, resources, links });
    return { resources, consumers };
  }
}

/** The graph of a document, given whole. */
export function buildGraph(operations: Iterable<DescribedOperation>, components: Record<string, unknown>): SuiteGraph {
  const builder = new GraphBuilder({ find: (reference) => components[reference] });
  for (const operation of operations) builder.add(operation);
  return builder.finish();
}

function groupByComponent(operations: readonly OperationFacts[]): Map<string, OperationFacts[]> {
  const groups = new Map<string, OperationFacts[]>();
  for (const operation of operations) {
    const { component } = operation.response;
    if (component === undefined) continue;
    groups.set(component, [...(groups.get(component) ?? []), operation]);
  }
  return groups;
}

/**
 * By key, the resource whose identifier its path parameter is: itself, or for `/pins/{messageId}` the message. One
 * without any response that gives its identifier takes that of the same thing elsewhere.
 */
function findSources(all: readonly RolesOfResource[]): Map<string, string> {
  const byThing = new Map<string, RolesOfResource[]>();
  for (const one of all) {
    const thing = toSingular(one.found.thing);
    byThing.set(thing, [...(byThing.get(thing) ?? []), one]);
  }
  const sources = new Map<string, string>();
  for (const group of byThing.values()) {
    const given = group.filter(({ producers }) => producers.length > 0);
    const own = group.filter(({ found }) => found.isOwn);
    const givenOwn = given.filter(({ found }) => found.isOwn);
    // Where no response gives any, one value stands for all.
    const usual = shortest(own) ?? given[0] ?? group[0]!;
    const outer = givenOwn.filter(({ found, producers }) => !found.parent && producers.some(({ many }) => many));
    const joins = (one: RolesOfResource) => outer.length > 0 && onlyJoins(one);
    const candidates = givenOwn.filter((one) => !joins(one)).slice(0, maxCandidates);
    for (const one of group) {
      const isItself = one.found.isOwn && one.producers.length > 0 && !joins(one);
      const source = isItself ? one : (findNearest(one, candidates) ?? usual);
      sources.set(one.found.key, source.found.key);
      if (source !== one) lend(one, source);
    }
  }
  return sources;
}

/**
 * Whether it may only join what is there to something: `POST /projects/{id}/environments` sends the name of one of
 * `/environments`, and no response gives one of the project.
 */
function onlyJoins({ found, producers }: RolesOfResource): boolean {
  return found.parent !== undefined && producers.every(({ from }) => from === "sent");
}

/** Compared with each resource of the same thing that has no source of its own. */
const maxCandidates = 200;

function shortest(group: readonly RolesOfResource[]): RolesOfResource | undefined {
  let best = group[0];
  for (const one of group) if (one.found.key.length < best!.found.key.length) best = one;
  return best;
}

/** One of the same component, then with the longest common path, then the outermost. */
function findNearest(one: RolesOfResource, candidates: readonly RolesOfResource[]): RolesOfResource | undefined {
  const { key } = one.found;
  const isAlike = ({ component }: RolesOfResource) => component !== undefined && component === one.component;
  const [best] = [...candidates].sort(
    (a, b) =>
      Number(isAlike(b)) - Number(isAlike(a)) ||
      sharedLength(b.found.key, key) - sharedLength(a.found.key, key) ||
      a.found.key.length - b.found.key.length,
  );
  return best;
}

/** The members of a guild have the ids of users, too. */
function lend(one: RolesOfResource, lender: RolesOfResource): void {
  if (lender.producers.length >= maxProducers) return;
  const known = new Set(lender.producers.map(({ operation }) => `${operation.method} ${operation.path}`));
  const more = one.producers.filter(
    ({ operation }) => operation.method === "get" && !known.has(`${operation.method} ${operation.path}`),
  );
  lender.producers.push(...more.slice(0, maxProducers - lender.producers.length));
}

function sharedLength(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const end = a.findIndex((segment, index) => segment !== b[index]);
  return end < 0 ? a.length : end;
}

function toResource(one: RolesOfResource, sources: ReadonlyMap<string, string>): Resource {
  const { found, operations, producers, component } = one;
  const source = sources.get(found.key)!;
  const isOther = source !== found.key;
  return {
    ...{ key: found.key, name: found.name, parent: found.parent ?? null, source },
    ...{ collection: found.collection, item: found.item, parameter: found.parameter },
    ...{
      variable: proposeVariable(found),
      component: component ?? null,
      operations,
      producers: isOther ? [] : producers,
    },
  };
}

/** Where several resources would have one variable, later ones are named after their parents, too. */
function nameVariables(resources: Resource[]): Resource[] {
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  for (const resource of resources) {
    if (resource.source !== resource.key) continue;
    const { variable } = resource;
    let [above, named] = [resource.parent, variable];
    while (taken.has(named) && above !== null) {
      const parent = byKey.get(above)!;
      named = prefixed(parent.name, named);
      above = parent.parent;
    }
    if (taken.has(named))
      named = prefixed(resource.collection.split("/").find((one) => one && !one.includes("{")) ?? "", variable);
    const base = named;
    while (taken.has(named)) {
      const number = (lastNumbers.get(base) ?? 1) + 1;
      lastNumbers.set(base, number);
      named = `${base.slice(0, 95)}${number}`;
    }
    taken.add(named);
    resource.variable = named;
  }
  for (const resource of resources) resource.variable = byKey.get(resource.source)!.variable;
  return resources;
}

function prefixed(name: string, variable: string): string {
  const words = toWords(name);
  return variable.includes("_") ? [...words, variable].join("_").slice(0, 100) : toVariable([...words, variable]);
}
