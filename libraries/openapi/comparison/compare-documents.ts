import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { compareOperations } from "./compare-operations.ts";
import type { SchemaSides } from "./compare-schemas.ts";
import type { ServerSides } from "./compare-servers.ts";

/** Without tests, which are stored in another service. */
type Change = Omit<OperationChange, "tests">;

export interface DocumentComparison {
  added: Change[];
  changed: Change[];
  removed: Change[];
  unchangedCount: number;
}

/** One version's operations and components as stored JSON texts. */
export interface ComparedDocument {
  operations: { method: string; path: string; described: string; ordinals: number[] }[];
  components: Map<number, { reference: string; body: string }>;
  /** The document's own. */
  servers: DescribedOperation["servers"];
}

/**
 * Operations that a new version of a document would add, change or remove.
 * @param read loads an operation's text, only where the texts differ
 */
export function compareDocuments(
  before: ComparedDocument,
  after: ComparedDocument,
  read: (described: string) => DescribedOperation,
): DocumentComparison {
  const servers: ServerSides = { before: before.servers, after: after.servers };
  const sides: SchemaSides = { before: toSchemaSource(before), after: toSchemaSource(after) };
  const old = new Map(before.operations.map((operation) => [toKey(operation), operation]));
  const comparison: DocumentComparison = { added: [], changed: [], removed: [], unchangedCount: 0 };
  for (const operation of after.operations) {
    const { method, path } = operation;
    const known = old.get(toKey(operation));
    old.delete(toKey(operation));
    if (!known) {
      comparison.added.push({ method, path, breaking: false, reasons: [] });
    } else if (isUnchanged(known, before, operation, after)) {
      comparison.unchangedCount += 1;
    } else {
      const differences = compareOperations(read(known.described), read(operation.described), sides, servers);
      comparison.changed.push({ method, path, ...differences });
    }
  }
  for (const { method, path } of old.values()) {
    comparison.removed.push({ method, path, breaking: true, reasons: ["The operation is gone."] });
  }
  return comparison;
}

type ComparedOperation = ComparedDocument["operations"][number];

function toKey({ method, path }: ComparedOperation): string {
  return `${method} ${path}`;
}

/** Compares texts of the operation and of the components it reaches, which avoids parsing them. */
function isUnchanged(
  one: ComparedOperation,
  before: ComparedDocument,
  other: ComparedOperation,
  after: ComparedDocument,
): boolean {
  if (one.described !== other.described || one.ordinals.length !== other.ordinals.length) return false;
  const bodies = new Map<string, string>();
  for (const ordinal of one.ordinals) {
    const component = before.components.get(ordinal);
    if (component) bodies.set(component.reference, component.body);
  }
  return other.ordinals.every((ordinal) => {
    const component = after.components.get(ordinal);
    return component === undefined || bodies.get(component.reference) === component.body;
  });
}

function toSchemaSource({ components }: ComparedDocument) {
  const bodies = new Map([...components.values()].map(({ reference, body }) => [reference, body]));
  const parsed = new Map<string, unknown>();
  return {
    find(reference: string): unknown {
      if (!parsed.has(reference)) {
        const body = bodies.get(reference);
        parsed.set(reference, body === undefined ? undefined : JSON.parse(body));
      }
      return parsed.get(reference);
    },
  };
}
