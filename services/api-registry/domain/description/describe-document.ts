import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toRecord } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { type DocumentSet, resolve } from "../references/document-set.ts";
import { childPointer } from "../references/pointer.ts";
import { Components } from "./components.ts";
import type { DescriptionContext, PendingSample } from "./context.ts";
import { describeOperation } from "./operations.ts";
import { operationsOfPathItem } from "./path-items.ts";
import { describeSecurity, describeSecuritySchemes } from "./security.ts";
import { describeServers, describeSwaggerServers } from "./servers.ts";

export interface IndexedOperation {
  kind: "operation" | "webhook";
  described: DescribedOperation;
  securitySchemes: SecurityScheme[];
  /** Ordinals of the components it references directly. */
  refersTo: number[];
  samplesWanted: PendingSample[];
}

/** Longer paths do not fit into a URL. */
export const longestPath = 4_000;

const maxOwnServers = 50;

/** Describes all operations and webhooks of a document one by one and collects the components they reach. */
export class DocumentDescriber {
  readonly components: Components;
  readonly securitySchemes: SecurityScheme[];
  readonly servers: DescribedOperation["servers"];
  /** URLs of servers that operations have instead of the document's; complete when all operations are described. */
  readonly ownServers = new Set<string>();
  readonly #root: JsonRecord;
  readonly #serversText: string;

  constructor(readonly set: DocumentSet) {
    this.#root = toRecord(set.files.get("")?.value);
    this.components = new Components(set);
    this.securitySchemes = describeSecuritySchemes(set);
    this.servers =
      set.version === "2.0"
        ? describeSwaggerServers(this.#root, undefined, set.url)
        : describeServers(this.#root.servers, set.url);
    this.#serversText = JSON.stringify(this.servers);
  }

  *operations(): Generator<IndexedOperation> {
    yield* this.#operationsIn(toRecord(this.#root.paths), "operation");
    if (this.components.siblingsCount) yield* this.#operationsIn(toRecord(this.#root.webhooks), "webhook");
  }

  *#operationsIn(items: JsonRecord, kind: IndexedOperation["kind"]): Generator<IndexedOperation> {
    for (const path of Object.keys(items)) {
      if ((kind === "operation" && path.startsWith("x-")) || path.length > longestPath) continue;
      for (const { item, method, value } of this.operationsAt(path, items[path])) {
        yield this.#describe(kind, path, method, item, value);
      }
    }
  }

  /** Operations of one path; a path item's `$ref` and its siblings are merged. */
  *operationsAt(path: string, raw: unknown) {
    const item = this.#pathItem(path, raw);
    if (!item) return;
    for (const { method, value } of operationsOfPathItem(item.value, this.set.version)) yield { item, method, value };
  }

  #pathItem(path: string, raw: unknown): { value: JsonRecord; file: string } | undefined {
    const target = resolve(this.set, { file: "", pointer: childPointer("/paths", path), value: raw });
    if (!target || !isRecord(target.value)) return undefined;
    if (!isRecord(raw) || target.value === raw) return { value: target.value, file: target.file };
    const { $ref: _, ...beside } = raw;
    return { value: { ...beside, ...target.value }, file: target.file };
  }

  #noteOwnServers({ servers }: DescribedOperation): void {
    if (servers === this.servers || JSON.stringify(servers) === this.#serversText) return;
    for (const { url, resolvedUrl = url } of servers) {
      if (this.ownServers.size < maxOwnServers) this.ownServers.add(resolvedUrl);
    }
  }

  #describe(
    kind: IndexedOperation["kind"],
    path: string,
    method: string,
    item: { value: JsonRecord; file: string },
    operation: JsonRecord,
  ): IndexedOperation {
    const context: DescriptionContext = {
      set: this.set,
      root: this.#root,
      components: this.components,
      dependencies: new Set(),
      pendingSamples: [],
      servers: this.servers,
      security: describeSecurity(this.#root.security) ?? [],
    };
    const described = describeOperation({ path, method, item, operation }, context);
    if (kind === "operation") this.#noteOwnServers(described);
    const named = new Set(described.security.flatMap((all) => all.map(({ schemeName }) => schemeName)));
    return {
      kind,
      described,
      securitySchemes: this.securitySchemes.filter(({ name }) => named.has(name)),
      refersTo: [...context.dependencies],
      samplesWanted: context.pendingSamples,
    };
  }
}

/** The components as the sampler reads them: parsed on demand, and cached only for a limited time. */
export function toSampleSource(components: Pick<Components, "getBody">): SampleSource {
  const parsed = new Map<string, unknown>();
  return {
    find(reference) {
      const known = parsed.get(reference);
      if (known !== undefined) return known;
      const body = components.getBody(reference);
      if (body === undefined) return undefined;
      if (parsed.size > 5_000) parsed.clear();
      const value: unknown = JSON.parse(body);
      parsed.set(reference, value);
      return value;
    },
  };
}
