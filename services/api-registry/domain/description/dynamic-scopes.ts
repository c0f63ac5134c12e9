import { isRecord } from "#libraries/json/json-value.ts";
import { type DocumentSet, findTarget, referenceTo, type Target } from "../references/document-set.ts";
import type { SchemaResource } from "../references/schema-resources.ts";
import type { DynamicScope } from "./schemas.ts";

/** More variants of schemas than this are the work of an attacker; further ones are described as if entered alone. */
const maxVariants = 1_000;

/** A schema as it is in one dynamic scope. */
export interface Variant {
  /** Name of the component: the canonical reference, followed by the names that the scope gives another meaning. */
  reference: string;
  scope: DynamicScope;
}

/**
 * Resolves `$dynamicRef`s while a document is described: a schema that means something else where another schema
 * extends it is described once for each of these. So whatever reads the description follows plain `$ref`s.
 */
export class DynamicScopes {
  /** Names of the dynamic references that a schema reaches, by canonical reference. */
  readonly #reached = new Map<string, ReadonlySet<string>>();
  readonly #steps = new Map<string, Steps>();
  readonly #variants = new Map<string, Map<string, Variant>>();
  #variantCount = 0;

  constructor(private readonly set: DocumentSet) {}

  get #isNeeded(): boolean {
    return this.set.resources?.hasDynamicReferences ?? false;
  }

  enter(schema: object, scope: DynamicScope | undefined): DynamicScope | undefined {
    const resource = this.#isNeeded ? this.set.resources?.findByRoot(schema) : undefined;
    return resource && resource.dynamicAnchors.size > 0 ? new Map([...listAnchors(resource), ...(scope ?? [])]) : scope;
  }

  findReference(schema: object, scope: DynamicScope | undefined): string | undefined {
    const name = this.set.resources?.findDynamicName(schema);
    return name === undefined ? undefined : scope?.get(name);
  }

  /** The variant of a schema that is entered in this scope. */
  findVariant(target: Target, scope: DynamicScope | undefined): Variant | undefined {
    if (!this.#isNeeded) return undefined;
    const canonical = referenceTo(target);
    const resource = this.set.resources?.findByLocation(target);
    const own = new Map(resource ? listAnchors(resource) : []);
    const changed: [string, string][] = [];
    for (const name of this.#findReached(target)) {
      const reference = scope?.get(name);
      if (reference !== undefined && reference !== own.get(name)) changed.push([name, reference]);
    }
    if (changed.length === 0) return { reference: canonical, scope: own };
    return this.#require(canonical, changed.sort(), own);
  }

  #require(canonical: string, changed: [string, string][], own: Map<string, string>): Variant {
    const known = this.#variants.get(canonical) ?? new Map<string, Variant>();
    this.#variants.set(canonical, known);
    const key = JSON.stringify(changed);
    const found = known.get(key);
    if (found) return found;
    if (this.#variantCount >= maxVariants) return { reference: canonical, scope: own };
    this.#variantCount += 1;
    const names = changed.map(([name, reference]) => `${name} of ${getSchemaName(reference)}`).join(", ");
    const plain = `${canonical} (${names})`;
    const isTaken = [...known.values()].some(({ reference }) => reference === plain);
    const reference = isTaken ? `${canonical} (${names}, ${known.size + 1})` : plain;
    const variant = { reference, scope: new Map([...own, ...changed]) };
    known.set(key, variant);
    return variant;
  }

  #findReached(start: Target): ReadonlySet<string> {
    const first = referenceTo(start);
    const known = this.#reached.get(first);
    if (known) return known;
    const names = new Set<string>();
    const waiting = new Map([[first, start]]);
    for (const [reference, target] of waiting) {
      const steps = this.#steps.get(reference) ?? listSteps(this.set, target);
      this.#steps.set(reference, steps);
      for (const name of steps.names) names.add(name);
      for (const next of steps.targets) if (!waiting.has(referenceTo(next))) waiting.set(referenceTo(next), next);
    }
    this.#reached.set(first, names);
    return names;
  }
}

/** What a schema references itself. */
interface Steps {
  names: string[];
  targets: Target[];
}

function listSteps(set: DocumentSet, { file, value }: Target): Steps {
  const steps: Steps = { names: [], targets: [] };
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next.filter((item) => item !== undefined));
    if (!isRecord(next)) continue;
    const name = set.resources?.findDynamicName(next);
    if (name !== undefined) steps.names.push(name);
    for (const reference of [next.$ref, next.$dynamicRef]) {
      const target = typeof reference === "string" ? findTarget(set, file, reference) : undefined;
      if (target) steps.targets.push(target);
    }
    waiting.push(...Object.values(next).filter((member) => typeof member === "object"));
  }
  return steps;
}

function listAnchors({ file, dynamicAnchors }: SchemaResource): [string, string][] {
  return [...dynamicAnchors].map(([name, pointer]) => [name, `${file}#${pointer.replaceAll("%", "%25")}`]);
}

/** The schema that a user knows by name around a location. */
function getSchemaName(reference: string): string {
  const pointer = reference.slice(reference.indexOf("#") + 1);
  return /^\/components\/schemas\/([^/]+)/.exec(pointer)?.[1] ?? pointer.slice(pointer.lastIndexOf("/") + 1);
}
