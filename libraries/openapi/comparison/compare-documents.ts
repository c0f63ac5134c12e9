import type { ApiServer, SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { SampleSource } from "../sample/sample-source.ts";
import { ChangedComponents } from "./changed-components.ts";
import type { Change } from "./changes.ts";
import { compareOperations, type OperationDifferences } from "./compare-operations.ts";
import { matchOperations } from "./match-operations.ts";
import type { DocumentSide } from "./operation-context.ts";
import { isBreaking, type Rule } from "./rules.ts";
import { SchemaComparer } from "./schema-comparer.ts";

export interface ChangedOperation extends OperationDifferences {
  kind: "operation" | "webhook";
  method: string;
  /** Of a webhook, its name. */
  path: string;
  /** Its path before, if that is another one for the same requests. */
  pathBefore?: string;
}

export interface DocumentComparison {
  added: ChangedOperation[];
  changed: ChangedOperation[];
  removed: ChangedOperation[];
  unchangedCount: number;
}

export interface ComparedOperation {
  kind: "operation" | "webhook";
  method: string;
  path: string;
  /** JSON text of the DescribedOperation. */
  described: string;
  /** Of the components it reaches. */
  ordinals: number[];
}

/** One version's operations and components as stored JSON texts. */
export interface ComparedDocument {
  operations: ComparedOperation[];
  components: Map<number, { reference: string; body: string }>;
  /** The document's own. */
  servers: ApiServer[];
  securitySchemes: SecurityScheme[];
}

/** Of all operations together; past them, each has one. A shared schema may change thousands of operations. */
const maxSentences = 5_000;

/**
 * Operations and webhooks that a new version of a document would add, change or remove.
 * @param read loads an operation's text, only where the texts differ
 */
export function compareDocuments(
  before: ComparedDocument,
  after: ComparedDocument,
  read: (described: string) => DescribedOperation,
): DocumentComparison {
  const schemas = createComparer(before, after);
  const documents = { before: toSide(before), after: toSide(after) };
  const servers = { before: before.servers, after: after.servers };
  const isOther = createOtherness(after, schemas, documents);
  const comparison: DocumentComparison = { added: [], changed: [], removed: [], unchangedCount: 0 };
  let sentences = 0;
  for (const kind of ["operation", "webhook"] as const) {
    const role = kind === "operation" ? "caller" : "receiver";
    const [old, now] = [before, after].map(({ operations }) => operations.filter((one) => one.kind === kind));
    const { pairs, added, removed } = matchOperations(old!, now!, kind === "operation" ? servers : noServers);
    const counterparts = new Map(pairs.map((pair) => [pair.after, pair.before]));
    for (const operation of now!) {
      const known = counterparts.get(operation);
      if (!known) continue;
      if (!isOther(known, operation)) {
        comparison.unchangedCount += 1;
        continue;
      }
      const context = { schemas, documents, role } as const;
      const differences = compareOperations(read(known.described), read(operation.described), context);
      if (differences.changes.length === 0) comparison.unchangedCount += 1;
      else {
        const { method, path } = operation;
        const cut = sentences < maxSentences ? differences : keepFirst(differences);
        sentences += cut.changes.length;
        const moved = known.path === path ? {} : { pathBefore: known.path };
        comparison.changed.push({ kind, method, path, ...moved, ...cut });
      }
    }
    const name = kind === "operation" ? "The operation" : "The webhook";
    comparison.added.push(...added.map((one) => toWhole(one, `${kind}.added`, `${name} is new.`)));
    comparison.removed.push(...removed.map((one) => toWhole(one, `${kind}.removed`, `${name} was removed.`)));
  }
  return comparison;
}

function keepFirst({ changes, moreCount, breaking }: OperationDifferences): OperationDifferences {
  return { breaking, changes: changes.slice(0, 1), moreCount: moreCount + Math.max(changes.length - 1, 0) };
}

const noServers = { before: [], after: [] };

function toWhole({ kind, method, path }: ComparedOperation, rule: Rule, sentence: string): ChangedOperation {
  const breaking = isBreaking(rule);
  const change: Change = { rule, breaking, sentence };
  return { kind, method, path, breaking, changes: [change], moreCount: 0 };
}

function toSide({ servers, securitySchemes }: ComparedDocument): DocumentSide {
  return { servers, securitySchemes: new Map(securitySchemes.map((scheme) => [scheme.name, scheme])) };
}

/** Names of schemes that are described differently, as an operation's text has them. */
function listOtherSchemes({ before, after }: { before: DocumentSide; after: DocumentSide }): string[] {
  const names = new Set([...before.securitySchemes.keys(), ...after.securitySchemes.keys()]);
  return [...names]
    .filter((name) => {
      const [old, now] = [before.securitySchemes.get(name), after.securitySchemes.get(name)];
      return JSON.stringify(old) !== JSON.stringify(now);
    })
    .map((name) => `"schemeName":${JSON.stringify(name)}`);
}

/** Whether texts of operations, or of what they refer to, differ: most don't, and are not parsed. */
function createOtherness(
  after: ComparedDocument,
  schemas: SchemaComparer,
  documents: { before: DocumentSide; after: DocumentSide },
): (one: ComparedOperation, other: ComparedOperation) => boolean {
  const otherSchemes = listOtherSchemes(documents);
  const others = new Set<number>();
  for (const [ordinal, { reference }] of after.components) {
    if (!schemas.components.isSame(reference)) others.add(ordinal);
  }
  return (one, other) =>
    one.described !== other.described ||
    other.ordinals.some((ordinal) => others.has(ordinal)) ||
    otherSchemes.some((name) => one.described.includes(name));
}

function createComparer(before: ComparedDocument, after: ComparedDocument): SchemaComparer {
  const [old, now] = [before, after].map(
    ({ components }) => new Map([...components.values()].map(({ reference, body }) => [reference, body])),
  );
  return new SchemaComparer({ before: toSource(old!), after: toSource(now!) }, new ChangedComponents(old!, now!));
}

function toSource(bodies: ReadonlyMap<string, string>): SampleSource {
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
