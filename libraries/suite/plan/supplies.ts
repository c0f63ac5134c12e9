import type { OperationKey, Producer, Resource } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { toSingular } from "../names.ts";
import { Calls, type PlannedCall } from "./calls.ts";
import { isAction } from "./effect-by-name.ts";
import type { Known } from "./known.ts";

/** How a run gets the identifier of a resource: it makes one, or takes one that is there. */
export interface Supply {
  kind: "make" | "take";
  resource: Resource;
  operation: OperationKey;
  call: PlannedCall;
  producer: Producer;
}

/** What a call needs: resources that a run supplies, and variables that only a person can give. */
export interface Needs {
  resources: Resource[];
  asks: string[];
}

/** Finds where identifiers come from. What can be made and removed is made; otherwise one that is there is taken. */
export class Supplies {
  readonly calls: Calls;
  readonly #found = new Map<string, Supply | undefined>();
  /** Being searched for: what needs itself can't be supplied. */
  readonly #open = new Set<string>();
  /** Not found while others were searched for. A search again would cost each path through a circle of needs. */
  readonly #notFound = new Set<string>();

  /** @param makes whether a run may make something; otherwise it only takes what is there */
  constructor(
    private readonly known: Known,
    private readonly makes = true,
  ) {
    this.calls = new Calls(
      known,
      (resource) => this.find(resource) !== undefined,
      ({ key }) => this.#open.has(key),
    );
  }

  /** Undefined where a person would have to be asked. */
  find(resource: Resource): Supply | undefined {
    const { key } = resource;
    if (this.#found.has(key)) return this.#found.get(key);
    if (this.#open.has(key) || this.#notFound.has(key)) return undefined;
    this.#open.add(key);
    const maker = this.makes ? this.findMaker(resource) : undefined;
    const made = maker && this.needsOf(maker.call, resource).asks.length === 0 ? maker : undefined;
    const supply = made && this.isRemoved(resource) ? made : (this.#findTaker(resource) ?? made);
    this.#open.delete(key);
    // What needs one that is found now, or one whose search is still open, may be found yet; nothing else changes.
    if (supply) this.#notFound.clear();
    else this.#notFound.add(key);
    if (supply || this.#open.size === 0) this.#found.set(key, supply);
    return supply;
  }

  /**
   * What a run makes and an operation joins with something that is there: the book for `POST
   * /books/{bookId}/shelves/{shelfId}/move` if shelves are those of `/shelves`. What it changes belongs to the book.
   */
  findJoining(operation: OperationKey): Resource | undefined {
    // A server may delete more than what joins them.
    if (operation.method === "delete" || this.known.isOwnItem(operation)) return undefined;
    const above = this.known.resourcesInPath(operation).slice(0, -1);
    return above.findLast((one) => one !== undefined && this.find(one)?.kind === "make");
  }

  /**
   * What puts something into a new one: `POST /baskets/{basketId}/items`, `PUT /baskets/{basketId}/products/{productId}`.
   * Who takes an empty basket is not said in documents.
   */
  findFillings({ key, item }: Resource): OperationKey[] {
    const below = `${item}/`;
    const found = [...this.known.operations.values()].flatMap(({ operation: { method, path } }) => {
      const [collection = "", part] = path.startsWith(below) ? path.slice(below.length).split("/") : [];
      const isPlural = collection !== "" && toSingular(collection) !== collection;
      const fills = part === undefined ? method === "post" : part.startsWith("{");
      const isWhole = path === [item, collection, ...(part === undefined ? [] : [part])].join("/");
      if (!isPlural || !fills || !isWhole || (method !== "post" && method !== "put")) return [];
      if (part !== undefined && this.findJoining({ method, path })?.key !== key) return [];
      const call = this.calls.find({ method, path });
      return call && call.gaps.length === 0 && this.needsOf(call).asks.length === 0 ? [{ method, path }] : [];
    });
    return found.slice(0, 1);
  }

  /** The operation that makes one and whose success identifies it. It may need values that a person has to give. */
  findMaker(resource: Resource): Supply | undefined {
    const { create } = resource.operations;
    const producer = create && resource.source === resource.key ? this.known.producerOf(resource, create) : undefined;
    const isMaking = create && producer && !producer.many && !isAction(create);
    const call = isMaking ? this.calls.find(create) : undefined;
    if (!create || !producer || !call || call.gaps.length > 0) return undefined;
    return { kind: "make", resource, operation: create, call, producer };
  }

  /** @param own the resource that its circle makes */
  needsOf({ values }: PlannedCall, own?: Resource): Needs {
    const resources = new Map<string, Resource>();
    const asks: string[] = [];
    for (const { name } of values) {
      const resource = this.known.ofVariable(name);
      if (own && resource?.key === own.key) continue;
      if (resource && this.find(resource)) resources.set(resource.key, resource);
      else asks.push(name);
    }
    return { resources: [...resources.values()], asks };
  }

  /** Whether a supply needs a resource, itself or for what it needs. */
  dependsOn({ call, resource }: Supply, other: Resource, seen = new Set<string>()): boolean {
    if (seen.has(resource.key)) return false;
    seen.add(resource.key);
    return this.needsOf(call, resource).resources.some((needed) => {
      const supply = needed.key === other.key ? undefined : this.find(needed);
      return needed.key === other.key || (supply && this.dependsOn(supply, other, seen));
    });
  }

  /** Whether what a run makes of it can be removed: by itself, or with what it is part of. */
  isRemoved(resource: Resource): boolean {
    const { operations, parent } = resource;
    const removal = operations.remove && this.calls.find(operations.remove);
    if (removal) return removal.gaps.length === 0 && this.needsOf(removal, resource).asks.length === 0;
    const above = parent === null ? undefined : this.known.findResource(parent);
    return above !== undefined && this.find(above)?.kind === "make" && this.isRemoved(above);
  }

  #findTaker(resource: Resource): Supply | undefined {
    for (const producer of resource.producers) {
      if (!isSafe(producer.operation.method) || producer.from !== "body") continue;
      const call = this.calls.find(producer.operation);
      if (!call || call.gaps.length > 0 || this.needsOf(call).asks.length > 0) continue;
      return { kind: "take", resource, operation: producer.operation, call, producer };
    }
    return undefined;
  }
}
