import type { Transaction } from "kysely";
import type { CodeKind } from "#contracts/code/objects.ts";
import type { CodeReferences, PartChange, PartChanges } from "#contracts/code/parts.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { AnyTables, Executor } from "../database/database.ts";

/** A transaction of any service. */
export type CodeTransaction = Transaction<AnyTables>;

/** References both ways: ids by key and keys by id. A test's key is preceded by its API's, as in `shop/lists-books`. */
export class References {
  readonly #ids: Record<keyof CodeReferences, Map<string, string>>;
  readonly #keys: Record<keyof CodeReferences, Map<string, string>>;

  constructor(given: CodeReferences) {
    const toMaps = (invert: boolean) =>
      Object.fromEntries(
        Object.entries(given).map(([kind, ids]) => [
          kind,
          new Map(Object.entries(ids).map(([key, id]) => (invert ? [id, key] : [key, id]))),
        ]),
      ) as Record<keyof CodeReferences, Map<string, string>>;
    this.#ids = toMaps(false);
    this.#keys = toMaps(true);
  }

  add(kind: keyof CodeReferences, key: string, id: string): void {
    this.#ids[kind].set(key, id);
    this.#keys[kind].set(id, key);
  }

  idOf(kind: keyof CodeReferences, key: string): string | undefined {
    return this.#ids[kind].get(key);
  }

  keyOf(kind: keyof CodeReferences, id: string): string | undefined {
    return this.#keys[kind].get(id);
  }
}

/** What a kind needs to read and write its objects. */
export interface CodeContext {
  organizationId: string;
  requestId: string;
  references: References;
  secrets: Readonly<Record<string, string>>;
  now: Date;
}

/** A context of a change. */
export interface ChangeContext extends CodeContext {
  documents: Readonly<Record<string, string>>;
  environments: PartChanges["environments"];
  /** Nothing will be stored: what is missing is listed, and replaced by something that fits. */
  isCheck: boolean;
  missingSecrets: Set<string>;
  missingDocuments: Set<string>;
}

/** A stored object as files have it, and what is not in them. */
export interface StoredObject {
  id: string;
  parentId?: string;
  name: string;
  /** May have defaults. */
  value: JsonRecord;
  /** Stored values of its secrets, by name. */
  secrets?: Record<string, string | undefined>;
  document?: { id: string; format: "json" | "yaml" };
}

/** Where a kind's rows are. */
export interface CodeTable {
  table: string;
  idColumn: string;
  parentColumn?: string;
  /** SQL of the text that a new key is made from. */
  keyText: string;
  /** Tables whose rows belong to it, with the column of its id. */
  sideTables?: { table: string; column: string }[];
  /** Columns that stay as they are when a row is restored. */
  unrestored?: string[];
}

export interface ObjectQuery {
  /** Only these. */
  ids?: readonly string[];
  /** Only this API, or its tests. */
  apiId?: string;
  /** Those with greater ids. */
  after?: string;
  limit: number;
}

/** Reports what is wrong with a value, at its field. */
export type Fail = (path: string, message: string) => void;

export type Change = PartChange & { action: "create" | "change"; value: JsonRecord };

export interface Resolved<Input> {
  change: Change;
  input: Input;
  /** Names of its secrets, by where they are. */
  secretNames?: Record<string, string>;
}

/** Published together at the end of the transaction. */
// biome-ignore lint/suspicious/noExplicitAny: each service publishes events of its own.
export type CodeEvent = any;

/** How a service reads and writes one kind of its objects. */
export interface ServedKind<Input = unknown, Tables = AnyTables> extends CodeTable {
  kind: CodeKind;
  /** Of the text of a new key; itself where omitted. */
  toKey?(text: string, context: CodeContext): string;
  /** By id. */
  list(
    executor: Executor<Tables>,
    query: ObjectQuery,
    context: CodeContext,
    secretNames: ReadonlyMap<string, Record<string, string>>,
  ): Promise<StoredObject[]>;
  /** Translates keys into ids, and reports all that the ordinary calls would refuse. Undefined where it reported any. */
  resolve(changes: Change[], context: ChangeContext, fail: (change: Change) => Fail): Promise<Resolved<Input>[]>;
  write(transaction: Transaction<Tables>, items: Resolved<Input>[], context: ChangeContext): Promise<CodeEvent[]>;
  remove(transaction: Transaction<Tables>, ids: string[], context: CodeContext): Promise<CodeEvent[]>;
  /** Events of rows that were restored. */
  restored?(transaction: Transaction<Tables>, ids: string[], context: CodeContext): Promise<CodeEvent[]>;
}
