import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { changesByGet } from "./effect-by-name.ts";
import { type Known, toKey } from "./known.ts";
import type { Supplies } from "./supplies.ts";

/** To which resource each operation belongs. */
export class Homes {
  readonly #byOperation = new Map<string, Resource>();
  readonly #byResource = new Map<string, OperationKey[]>();

  constructor(
    private readonly known: Known,
    private readonly supplies: Supplies,
  ) {
    const byRole = new Map<string, Resource>();
    for (const resource of known.resources.values()) {
      if (resource.source !== resource.key) continue;
      for (const operation of Object.values(resource.operations)) {
        const key = toKey(operation);
        if (!byRole.has(key)) byRole.set(key, resource);
      }
    }
    for (const [key, { operation }] of known.operations) {
      const { method, path } = operation;
      const home = this.#move({ method, path }, byRole.get(key)) ?? this.#ofCollection({ method, path });
      if (!home) continue;
      this.#byOperation.set(key, home);
      this.#byResource.set(home.key, [...(this.#byResource.get(home.key) ?? []), { method, path }]);
    }
  }

  find(operation: OperationKey): Resource | undefined {
    return this.#byOperation.get(toKey(operation));
  }

  /** In document order. */
  listOf({ key }: Resource): readonly OperationKey[] {
    return this.#byResource.get(key) ?? [];
  }

  /**
   * What changes the part of a thing belongs to the thing, if a run makes that and not the part: `POST /books/{id}/tags`
   * where no operation reads a tag.
   */
  #move(operation: OperationKey, home: Resource | undefined): Resource | undefined {
    const changed = this.#ofLastParameter(operation);
    if (!home || !changed || isSafe(operation.method) || this.supplies.findMaker(home)) return home ?? changed;
    return this.supplies.find(changed)?.kind === "make" ? changed : home;
  }

  /** `/books/{bookId}/publish` belongs to a book, and `/books/{bookId}/shelves/{shelfId}` too if that only joins them. */
  #ofLastParameter(operation: OperationKey): Resource | undefined {
    return this.supplies.findJoining(operation) ?? this.known.resourcesInPath(operation).at(-1);
  }

  /** `GET /books/popular` belongs to books. */
  #ofCollection({ method, path }: OperationKey): Resource | undefined {
    if (!isSafe(method) || changesByGet({ method, path })) return undefined;
    const above = path.slice(0, path.lastIndexOf("/"));
    for (const resource of this.known.resources.values()) {
      if (resource.collection === above && resource.source === resource.key) return resource;
    }
    return undefined;
  }
}
