import type { Kysely } from "kysely";
import type { z } from "zod";
import { type CodeKind, codeKinds, codeValues, parentKinds } from "#contracts/code/objects.ts";
import type {
  CodeReferences,
  codePartContract,
  ManagedObject,
  PartChanges,
  PartObject,
} from "#contracts/code/parts.ts";
import { notFound } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Clock } from "../clock/clock.ts";
import type { AnyTables } from "../database/database.ts";
import { type CodeContext, References, type ServedKind, type StoredObject } from "./code-kind.ts";
import * as rows from "./code-rows.ts";
import { hashOfValue, withoutDefaults } from "./written.ts";

export interface Of {
  organizationId: string;
  requestId: string;
}

/** Which objects, and the page of them. */
export type ExportQuery = z.output<NonNullable<(typeof codePartContract.exportCodeObjects)["body"]>>;

export const emptyReferences = (): CodeReferences => ({ api: {}, test: {}, circle: {}, alertChannel: {} });

export type PartReading = ReturnType<typeof createPartReading>;

/** Creates what reads a service's objects as files have them. */
export function createPartReading(parts: {
  tables: Kysely<AnyTables>;
  schema: string;
  clock: Clock;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has an input of its own.
  kinds: readonly ServedKind<any>[];
}) {
  const { tables, schema, clock, kinds } = parts;
  const kindOf = (kind: CodeKind) => kinds.find((one) => one.kind === kind);

  function getContext(organizationId: string, requestId: string, given: Pick<PartChanges, "references" | "secrets">) {
    const references = new References({ ...emptyReferences(), ...given.references });
    return { organizationId, requestId, references, secrets: given.secrets, now: clock.now() };
  }

  /** Own keys, after those of other services that they are made of. */
  async function addOwnKeys(context: CodeContext): Promise<void> {
    for (const served of kinds) {
      const { kind } = served;
      const toKey = (text: string) => served.toKey?.(text, context) ?? text;
      await rows.giveKeys(tables, schema, { organizationId: context.organizationId, kind, of: served, toKey });
      if (kind !== "api" && kind !== "test" && kind !== "circle" && kind !== "alertChannel") continue;
      for (const { id, parentId, key } of await rows.readKeys(tables, schema, { ...context, kind })) {
        const api = kind === "test" ? context.references.keyOf("api", parentId) : undefined;
        if (kind !== "test") context.references.add(kind, key, id);
        else if (api) context.references.add(kind, `${api}/${key}`, id);
      }
    }
  }

  function parentKey(kind: CodeKind, parentId: string, context: CodeContext): string | undefined {
    if (kind !== "test" && kind !== "schedule") return undefined;
    return context.references.keyOf(parentKinds[kind], parentId);
  }

  const toWritten = (kind: CodeKind, { value }: StoredObject) =>
    withoutDefaults(codeValues[kind], JSON.parse(JSON.stringify(value))) as JsonRecord;

  function toPartObject(kind: CodeKind, stored: StoredObject, row: rows.CodeRow, context: CodeContext): PartObject {
    const value = toWritten(kind, stored);
    const parent = parentKey(kind, row.parent_id, context);
    const { applied_hash, applied_value, applied_at, repository, commit } = row;
    const differ = Object.entries(stored.secrets ?? {}).filter(
      ([name, secret]) => context.secrets[name] !== undefined && context.secrets[name] !== secret,
    );
    return {
      ...{ kind, key: row.key, id: stored.id, name: stored.name, value, hash: hashOfValue(value) },
      ...(parent === undefined ? {} : { parent }),
      ...(stored.document ? { document: stored.document } : {}),
      secretsDiffer: differ.map(([name]) => name),
      applied:
        applied_hash !== null && applied_at !== null
          ? {
              ...{ repository: repository ?? "", commit: commit ?? "", hash: applied_hash },
              ...{ at: applied_at.toISOString(), value: applied_value ?? {} },
            }
          : null,
    };
  }

  async function listObjects(
    executor: Kysely<AnyTables>,
    served: ServedKind,
    query: Parameters<ServedKind["list"]>[1],
    context: CodeContext,
  ): Promise<PartObject[]> {
    const { organizationId } = context;
    const found = await rows.readCodeRows(executor, schema, { organizationId, kind: served.kind, ids: query.ids });
    const names = new Map([...found].map(([id, { secret_names }]) => [id, secret_names]));
    const stored = await served.list(executor, query, context, names);
    return stored.flatMap((one) => {
      const row = found.get(one.id);
      // Created since its siblings got their keys: the next call gives it one.
      return row ? [toPartObject(served.kind, one, row, context)] : [];
    });
  }

  /** Objects in pages, by kind and id. */
  async function exportObjects({ organizationId, requestId }: Of, query: ExportQuery) {
    const context = getContext(organizationId, requestId, query);
    await addOwnKeys(context);
    const requested = codeKinds.filter((kind) => query.kinds.includes(kind) && kindOf(kind));
    const from = query.after ? requested.indexOf(query.after.kind) : 0;
    const items: PartObject[] = [];
    for (const kind of requested.slice(Math.max(from, 0))) {
      const capacity = query.limit - items.length;
      const after = query.after?.kind === kind ? query.after.id : undefined;
      const page = { apiId: query.apiId, after, limit: capacity + 1 };
      const found = await listObjects(tables, kindOf(kind)!, page, context);
      items.push(...found.slice(0, capacity));
      if (found.length > capacity) return { items, isLast: false };
    }
    return { items, isLast: true };
  }

  /** An API names no other objects, so that it is compared as a whole; of others, the last change counts. */
  async function isDrifted(served: ServedKind, row: rows.CodeRow, context: CodeContext): Promise<boolean> {
    if (served.kind === "api") {
      const [current] = await listObjects(tables, served, { ids: [row.object_id], limit: 1 }, context);
      return current !== undefined && current.hash !== row.applied_hash;
    }
    const changedAt = await rows.readChangedAt(tables, schema, served, { ...context, id: row.object_id });
    return changedAt !== undefined && changedAt > row.applied_at!;
  }

  /** @throws Problem not_found */
  async function findManaged(
    { organizationId, requestId }: Of,
    { kind, objectId }: { kind: CodeKind; objectId: string },
  ): Promise<{ managed: ManagedObject | null }> {
    const served = kindOf(kind);
    const of = { organizationId, id: objectId };
    if (!served || !(await rows.readChangedAt(tables, schema, served, of))) throw notFound("object");
    const row = (await rows.readCodeRows(tables, schema, { organizationId, kind, ids: [objectId] })).get(objectId);
    if (!row?.applied_hash || !row.applied_at) return { managed: null };
    const context = getContext(organizationId, requestId, { references: emptyReferences(), secrets: {} });
    const { key, repository, commit, applied_at } = row;
    return {
      managed: {
        ...{ kind, key, repository: repository ?? "", commit: commit ?? "", appliedAt: applied_at.toISOString() },
        isDrifted: await isDrifted(served, row, context),
      },
    };
  }

  return { getContext, listObjects, exportObjects, findManaged };
}
