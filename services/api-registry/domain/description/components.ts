import { type DocumentSet, findTarget, referenceTo } from "../references/document-set.ts";
import { DynamicScopes } from "./dynamic-scopes.ts";
import { type DynamicScope, describeSchema, type SchemaReferences } from "./schemas.ts";

export interface Component {
  reference: string;
  /** JSON text. */
  body: string;
  /** Ordinals of the components it references directly. */
  refersTo: number[];
}

/**
 * The schemas referenced anywhere in the document, each stored once under a number. Nothing is inlined, so circles cost
 * nothing; operations list the numbers they reach.
 */
export class Components implements SchemaReferences {
  readonly list: Component[] = [];
  readonly isSwagger: boolean;
  readonly siblingsCount: boolean;
  readonly #ordinals = new Map<string, number>();
  readonly #known = new Map<string, { reference: string; ordinal: number | undefined }>();
  readonly #waiting: number[] = [];
  readonly #targets: { file: string; value: unknown; scope: DynamicScope | undefined }[] = [];
  readonly #scopes: DynamicScopes;

  constructor(readonly set: DocumentSet) {
    this.#scopes = new DynamicScopes(set);
    this.isSwagger = set.version === "2.0";
    this.siblingsCount = set.version === "3.1" || set.version === "3.2";
  }

  dependOn(file: string, reference: string, dependencies: Set<number>, scope?: DynamicScope): string {
    const key = `${file}\n${reference}${scope ? `\n${JSON.stringify([...scope])}` : ""}`;
    let known = this.#known.get(key);
    if (!known) {
      known = this.#register(file, reference, scope);
      this.#known.set(key, known);
    }
    if (known.ordinal !== undefined) dependencies.add(known.ordinal);
    return known.reference;
  }

  exists(file: string, reference: string): boolean {
    return findTarget(this.set, file, reference) !== undefined;
  }

  getBody(reference: string): string | undefined {
    const ordinal = this.#ordinals.get(reference);
    return ordinal === undefined ? undefined : this.list[ordinal]!.body;
  }

  enter(schema: object, scope: DynamicScope | undefined): DynamicScope | undefined {
    return this.#scopes.enter(schema, scope);
  }

  findDynamic(schema: object, scope: DynamicScope | undefined): string | undefined {
    return this.#scopes.findReference(schema, scope);
  }

  #register(
    file: string,
    reference: string,
    outer: DynamicScope | undefined,
  ): { reference: string; ordinal: number | undefined } {
    const target = findTarget(this.set, file, reference);
    if (!target || (typeof target.value !== "object" && typeof target.value !== "boolean") || target.value === null) {
      return { reference, ordinal: undefined };
    }
    const { reference: canonical, scope } = this.#scopes.findVariant(target, outer) ?? {
      reference: referenceTo(target),
      scope: undefined,
    };
    let ordinal = this.#ordinals.get(canonical);
    if (ordinal === undefined) {
      ordinal = this.list.length;
      this.#ordinals.set(canonical, ordinal);
      this.list.push({ reference: canonical, body: "", refersTo: [] });
      this.#targets.push({ file: target.file, value: target.value, scope });
      this.#waiting.push(ordinal);
    }
    return { reference: canonical, ordinal };
  }

  /** Describes components that have been reached; a queue, because chains of references may be long. */
  complete(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const { file, value, scope } = this.#targets[next]!;
      const refersTo = new Set<number>();
      const component = this.list[next]!;
      component.body = JSON.stringify(describeSchema(value, file, this, refersTo, scope));
      component.refersTo = [...refersTo];
    }
  }

  /** The components reachable from these, nearest first, up to a limit. */
  getClosure(roots: Iterable<number>, limit = Number.POSITIVE_INFINITY): number[] {
    const seen = new Set(roots);
    for (const ordinal of seen) {
      if (seen.size >= limit) break;
      for (const next of this.list[ordinal]!.refersTo) seen.add(next);
    }
    return [...seen].slice(0, limit);
  }
}
