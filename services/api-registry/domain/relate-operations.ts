import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Consumer } from "#contracts/api-registry/resources.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { GraphBuilder } from "#libraries/suite/graph/build-graph.ts";
import type { OperationConsumersRow, ResourceRow } from "./imported-document.ts";

const maxConsumers = 500;

/** Collects a document's operations, and turns their graph into rows. */
export class OperationRelations {
  readonly #builder: GraphBuilder;
  readonly #positions = new Map<string, number>();

  constructor(source: SampleSource) {
    this.#builder = new GraphBuilder(source);
  }

  add(operation: DescribedOperation, position: number): void {
    this.#positions.set(toKey(operation), position);
    this.#builder.add(operation);
  }

  finish(): { resources: ResourceRow[]; consumers: OperationConsumersRow[] } {
    const { resources, consumers } = this.#builder.finish();
    const byResource = groupBy(consumers, ({ resource }) => resource);
    const byOperation = groupBy(consumers, ({ operation }) => this.#positions.get(toKey(operation))!);
    return {
      resources: resources.map((resource, position) => ({
        ...{ position, resource, consumers: byResource.get(resource.key) ?? [] },
      })),
      consumers: [...byOperation].map(([position, all]) => ({ position, consumers: all })),
    };
  }
}

/** Stored with a resource; the rest is found at their operations. */
export const listedConsumers = (consumers: Consumer[]) => consumers.slice(0, maxConsumers);

const toKey = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
