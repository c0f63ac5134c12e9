import { type Consumer, type Resource, resourceRoles } from "#contracts/api-registry/resources.ts";
import { consumedInWords, operationInWords } from "./evidence-words";

/** That one resource needs another. */
export interface Relation {
  from: string;
  to: string;
  /** Its path is below the other's; otherwise a request refers to it. */
  isPart: boolean;
  /** "bookId in its body, POST /loans"; nothing for a path. */
  where: string | undefined;
}

type Known = Pick<Resource, "key" | "parent" | "source" | "operations">;

/** The operations whose needs say what the resources need. */
export function listOperations(resources: readonly Known[]) {
  return resources.flatMap(({ operations }) => resourceRoles.flatMap((role) => operations[role] ?? []));
}

/** What each resource needs of the others: what it is part of, and what requests of its operations refer to. Each pair once. */
export function listRelations(resources: readonly Known[], consumers: readonly Consumer[]): Relation[] {
  const known = new Set(resources.map(({ key }) => key));
  const relations = new Map<string, Relation>();
  const add = (relation: Relation) => {
    const { from, to } = relation;
    const pair = JSON.stringify([from, to]);
    if (from !== to && known.has(from) && known.has(to) && !relations.has(pair)) relations.set(pair, relation);
  };
  const owners = new Map<string, Known>();
  for (const resource of resources) {
    const { key, parent, source } = resource;
    if (parent !== null) add({ from: key, to: parent, isPart: true, where: undefined });
    if (source !== parent) add({ from: key, to: source, isPart: true, where: undefined });
    for (const operation of listOperations([resource])) owners.set(operationInWords(operation), resource);
  }
  for (const consumer of consumers) {
    const owner = owners.get(operationInWords(consumer.operation));
    // What the paths of parents name needs no line of its own.
    if (!owner || consumer.in === "path") continue;
    const where = `${consumedInWords(consumer)}, ${operationInWords(consumer.operation)}`;
    add({ from: owner.key, to: consumer.resource, isPart: false, where });
  }
  return [...relations.values()];
}
