import type { Consumer, Producer, Resource } from "#contracts/api-registry/resources.ts";
import type { SeenDependency } from "#contracts/test-executioner/events.ts";
import { parameterOf, toKey } from "#libraries/suite/graph/find-resources.ts";
import { maxProducers } from "#libraries/suite/graph/find-roles.ts";
import { toSegments } from "#libraries/suite/graph/operation-facts.ts";

/** A value of one operation's responses that another one accepted, as stored. */
export interface StoredSeenDependency extends SeenDependency {
  /** Whether the document requires the value. */
  required: boolean;
  /** Key of the resource whose identifier it is; null where none is known. */
  resource: string | null;
}

type Place = Pick<Consumer, "operation" | "in" | "name">;

const minValues = 3;

/** A single small number may be the same by chance. */
export const isEvidence = ({ isDistinctive, values }: Pick<SeenDependency, "isDistinctive" | "values">) =>
  isDistinctive || values >= minValues;

const placeOf = ({ operation: { method, path }, in: location, name }: Place) =>
  JSON.stringify([method, path, location, name]);
const producerOf = ({ operation: { method, path }, path: at }: Pick<Producer, "operation" | "path">) =>
  JSON.stringify([method, path, at]);

/** `/books/{}` for the parameter `bookId` of `/books/{bookId}/loans`. */
function toResourceKey({ operation: { path }, in: location, name }: Place): string | undefined {
  if (location !== "path") return undefined;
  const segments = toSegments(path);
  const at = segments.findIndex((segment) => parameterOf(segment) === name);
  return at < 0 ? undefined : toKey(segments.slice(0, at + 1));
}

/** Whether an operation needs the identifier that it would give. */
const isWithin = ({ path }: { path: string }, resourceKey: string) =>
  `${toKey(toSegments(path))}/`.startsWith(`${resourceKey}/`);

/** Finds which resource's identifier a value is. */
export class SeenResources {
  /** Key of a resource → key of the one whose identifier it has. */
  readonly #sources = new Map<string, string>();
  readonly #byProducer = new Map<string, string>();

  add({ key, source, producers }: Resource): void {
    this.#sources.set(key, source);
    if (key !== source) return;
    for (const producer of producers) if (producer.from === "body") this.#byProducer.set(producerOf(producer), key);
  }

  /**
   * By the path that the value was sent in, or by what gives it: a producer of a resource, also one that is only known
   * because its values were accepted in that resource's path.
   */
  find<One extends Pick<SeenDependency, "from" | "to" | "isDistinctive" | "values">>(
    all: readonly One[],
  ): (One & { resource: string | null })[] {
    const byPath = new Map<string, string>();
    for (const one of all) {
      const resource = this.#findByPath(one.to);
      if (resource && isEvidence(one)) byPath.set(producerOf(one.from), resource);
    }
    return all.map((one) => {
      const given = producerOf(one.from);
      const resource = this.#findByPath(one.to) ?? this.#byProducer.get(given) ?? byPath.get(given) ?? null;
      return { ...one, resource };
    });
  }

  #findByPath(to: Place): string | undefined {
    const key = toResourceKey(to);
    return key === undefined ? undefined : this.#sources.get(key);
  }
}

/**
 * What was seen comes before names, and after links of the document; a path names its resource itself.
 * @param seen evidence only, the most frequent first
 * @param key only the consumers of this resource
 */
export function applySeen(
  consumers: readonly Consumer[],
  seen: readonly StoredSeenDependency[],
  key?: string,
): Consumer[] {
  if (seen.length === 0) return [...consumers];
  const byPlace = new Map<string, StoredSeenDependency[]>();
  for (const one of seen) {
    if (one.resource === null) continue;
    const place = placeOf(one.to);
    byPlace.set(place, [...(byPlace.get(place) ?? []), one]);
  }
  const toConsumer = (known: Consumer | undefined, found: readonly StoredSeenDependency[]): Consumer => {
    const best = found.find(({ resource }) => resource === known?.resource) ?? found[0]!;
    const { times, from, to, resource, required } = best;
    const evidence = { kind: "seen" as const, times, operation: from.operation };
    return { ...to, required: known?.required ?? required, resource: resource!, evidence };
  };
  const changed = consumers.map((consumer) => {
    const place = placeOf(consumer);
    const found = byPlace.get(place);
    byPlace.delete(place);
    return found && consumer.evidence.kind !== "link" ? toConsumer(consumer, found) : consumer;
  });
  const added = [...byPlace.values()].map((found) => toConsumer(undefined, found));
  return [...changed, ...added].filter(({ resource }) => key === undefined || resource === key);
}

/**
 * The resource with the responses whose values its path accepted: confirming what the document says, or instead of it
 * where nothing of that was seen and nothing links it.
 */
export function addSeenProducers<One extends Resource>(resource: One, seen: readonly StoredSeenDependency[]): One {
  const { key, source, producers } = resource;
  const found = seen.filter(
    ({ to, from, resource: of }) => to.in === "path" && of === key && !isWithin(from.operation, key),
  );
  if (found.length === 0 || key !== source) return resource;
  const byProducer = new Map<string, Producer>();
  for (const { from, times } of found) {
    const { operation, path } = from;
    if (byProducer.has(producerOf(from))) continue;
    const evidence = { kind: "seen" as const, times, operation };
    byProducer.set(producerOf(from), { operation, from: "body", path, many: path.includes("[*]"), evidence });
  }
  let isConfirmed = false;
  const known = producers.map((producer) => {
    const same = producer.from === "body" ? byProducer.get(producerOf(producer)) : undefined;
    if (!same) return producer;
    isConfirmed = true;
    byProducer.delete(producerOf(producer));
    return producer.evidence.kind === "link" ? producer : same;
  });
  const added = [...byProducer.values()];
  const isLinked = known.some(({ evidence }) => evidence.kind === "link");
  const all = isConfirmed || isLinked ? [...known, ...added] : [...added, ...known];
  return { ...resource, producers: withoutRepeated(all).slice(0, maxProducers) };
}

/** An operation gives an identifier once: its best. */
function withoutRepeated(producers: readonly Producer[]): Producer[] {
  const known = new Set<string>();
  return producers.filter(({ operation: { method, path } }) => {
    const operation = `${method} ${path}`;
    const isNew = !known.has(operation);
    known.add(operation);
    return isNew;
  });
}
