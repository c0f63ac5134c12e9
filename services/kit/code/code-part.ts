import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { type CodeKind, parentKinds } from "#contracts/code/objects.ts";
import type { codePartContract, PartChanges } from "#contracts/code/parts.ts";
import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../clock/clock.ts";
import type { AnyTables } from "../database/database.ts";
import type { Publisher } from "../events/publisher.ts";
import type { Handlers } from "../service/service.ts";
import type {
  Change,
  ChangeContext,
  CodeContext,
  CodeEvent,
  CodeTransaction,
  Resolved,
  ServedKind,
} from "./code-kind.ts";
import * as rows from "./code-rows.ts";
import { noParent } from "./code-tables.ts";
import { lockRows, readImages, restoreImages } from "./images.ts";
import { createPartReading, emptyReferences, type Of } from "./part-reading.ts";

/** Work that surrounds the transaction, such as what has to happen outside of the database before. */
export type Around = (
  changed: { kind: CodeKind; id: string; change?: Change; isDeletion: boolean }[],
  context: CodeContext & Partial<Pick<ChangeContext, "documents">>,
  next: () => Promise<void>,
) => Promise<void>;

interface Parts {
  // biome-ignore lint/suspicious/noExplicitAny: each service has tables of its own.
  db: Kysely<any>;
  schema: string;
  clock: Clock;
  log: Logger;
  // biome-ignore lint/suspicious/noExplicitAny: each service publishes events of its own, some none.
  publisher?: Publisher<any>;
  /** In an order in which each refers to earlier ones only. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind has an input of its own.
  kinds: readonly ServedKind<any>[];
  around?: Around;
}

/** Where rows of keys are among the images. */
const imagesOfKeys = (kind: CodeKind) => `code/${kind}`;

/** Thrown to end a check: its transaction is rolled back. */
class Checked extends Error {}

const stepRetentionMilliseconds = 7 * 24 * 60 * 60 * 1_000;
const changedMeanwhile = () => new Problem("stale_version", "Something was changed since the plan. Make another plan.");

function parentId(kind: CodeKind, parent: string | undefined, { references }: CodeContext): string {
  if (kind !== "test" && kind !== "schedule") return noParent;
  return references.idOf(parentKinds[kind], parent ?? "") ?? noParent;
}

/** Creates the part of a service that owns objects of files: it reads, checks, applies and undoes. */
export function createCodePart(parts: Parts) {
  const { db, schema, clock, kinds } = parts;
  const tables = db as Kysely<AnyTables>;
  const reading = createPartReading({ tables, schema, clock, kinds });
  const { getContext, listObjects, exportObjects, findManaged } = reading;
  function groupChanges(changes: readonly PartChanges["changes"][number][]) {
    const writes = changes.filter(
      (change): change is Change => change.action !== "delete" && change.value !== undefined,
    );
    return kinds.map((served) => ({ served, changes: writes.filter(({ kind }) => kind === served.kind) }));
  }

  async function resolveAll(changes: PartChanges["changes"], context: ChangeContext) {
    const errors: FieldError[] = [];
    const fail =
      ({ index }: Change) =>
      (path: string, message: string) => {
        errors.push({
          path: `objects[${index}].value${path.startsWith("[") || path === "" ? "" : "."}${path}`,
          message,
        });
      };
    const resolved: { served: ServedKind; items: Resolved<unknown>[] }[] = [];
    for (const { served, changes: own } of groupChanges(changes)) {
      if (own.length > 0) resolved.push({ served, items: await served.resolve(own, context, fail) });
    }
    return { errors, resolved };
  }

  async function requireUnchanged(
    transaction: CodeTransaction,
    served: ServedKind,
    changes: Change[],
    context: CodeContext,
  ) {
    const planned = changes.filter(({ before }) => before !== undefined);
    if (planned.length === 0) return;
    const ids = planned.map(({ id }) => id);
    await lockRows(transaction, schema, served, { organizationId: context.organizationId, ids });
    const found = await listObjects(transaction, served, { ids, limit: ids.length }, context);
    const hashes = new Map(found.map(({ id, hash }) => [id, hash]));
    if (planned.some(({ id, before }) => hashes.get(id) !== before)) throw changedMeanwhile();
  }

  async function markApplied(
    transaction: CodeTransaction,
    { served, items }: { served: ServedKind; items: Resolved<unknown>[] },
    body: PartChanges,
    context: CodeContext,
  ) {
    const { kind } = served;
    const { organizationId, now } = context;
    const kept = body.kept.filter((one) => one.kind === kind).map(({ id }) => id);
    const ids = [...items.map(({ change }) => change.id), ...kept];
    const named = items.flatMap(({ change, secretNames }) =>
      secretNames ? [{ id: change.id, names: secretNames }] : [],
    );
    const created = items.filter(({ change }) => change.action === "create");
    const keys = created.map(({ change: { id, key, parent } }) => ({
      id,
      key,
      parentId: parentId(kind, parent, context),
    }));
    await rows.insertKeys(transaction, schema, { organizationId, kind }, keys);
    await rows.storeSecretNames(transaction, schema, { organizationId, kind }, named);
    // What is stored now is what files hold, whatever a store makes of an input.
    const listed = await listObjects(transaction, served, { ids, limit: ids.length }, context);
    await rows.storeApplied(transaction, schema, { organizationId, kind, provenance: body.provenance, now }, listed);
  }

  async function applyChanges(
    transaction: CodeTransaction,
    resolved: { served: ServedKind; items: Resolved<unknown>[] }[],
    body: PartChanges,
    context: ChangeContext,
  ): Promise<void> {
    const { organizationId } = context;
    const step = { organizationId, applicationId: body.applicationId, step: "changes" as const };
    const images: Record<string, string[]> = {};
    const created: Record<string, string[]> = {};
    const events: CodeEvent[] = [];
    for (const { served, items } of resolved) {
      const changes = items.map(({ change }) => change);
      await requireUnchanged(transaction, served, changes, context);
      const changed = changes.filter(({ action }) => action === "change").map(({ id }) => id);
      Object.assign(images, await readImages(transaction, schema, served, changed));
      created[served.kind] = changes.filter(({ action }) => action === "create").map(({ id }) => id);
      events.push(...(await served.write(transaction, items, context)));
    }
    const keptKinds = new Set(body.kept.map(({ kind }) => kind));
    for (const served of kinds) {
      const own = resolved.find((one) => one.served === served) ?? { served, items: [] };
      const ids = [...own.items.map(({ change }) => change), ...body.kept.filter(({ kind }) => kind === served.kind)];
      const named = { organizationId, kind: served.kind, ids: ids.map(({ id }) => id) };
      images[imagesOfKeys(served.kind)] = await rows.readRowImages(transaction, schema, named);
      if (own.items.length > 0 || keptKinds.has(served.kind)) await markApplied(transaction, own, body, context);
    }
    await rows.completeStep(transaction, schema, step, { created, images: images as never });
    await parts.publisher?.publish(transaction, events);
  }

  async function applyDeletions(transaction: CodeTransaction, changes: PartChanges["changes"], context: CodeContext) {
    const events: CodeEvent[] = [];
    for (const served of [...kinds].reverse()) {
      const ids = changes.filter(({ kind, action }) => kind === served.kind && action === "delete").map(({ id }) => id);
      if (ids.length > 0) events.push(...(await served.remove(transaction, ids, context)));
    }
    await parts.publisher?.publish(transaction, events);
  }

  async function surround(
    body: Pick<PartChanges, "changes">,
    context: CodeContext & Partial<Pick<ChangeContext, "documents">>,
    next: () => Promise<void>,
  ): Promise<void> {
    if (!parts.around) return await next();
    const changed = body.changes.map((change) => ({
      ...{ kind: change.kind, id: change.id, isDeletion: change.action === "delete" },
      ...(change.action !== "delete" && change.value ? { change: change as Change } : {}),
    }));
    await parts.around(changed, context, next);
  }

  async function runStep(body: PartChanges, context: ChangeContext): Promise<FieldError[]> {
    const isDeletion = body.changes.some(({ action }) => action === "delete");
    const { errors, resolved } = await resolveAll(body.changes, context);
    if (errors.length > 0) return errors;
    const { organizationId, now } = context;
    const step = {
      organizationId,
      applicationId: body.applicationId,
      step: isDeletion ? "deletions" : "changes",
    } as const;
    const work = async () => {
      await tables.transaction().execute(async (transaction) => {
        const earlier = await rows.reserveStep(transaction, schema, { ...step, isUndone: false, now });
        if (earlier?.is_undone) throw new Problem("conflict", "This application was undone.");
        if (earlier) return;
        if (isDeletion) await applyDeletions(transaction, body.changes, context);
        else await applyChanges(transaction, resolved, body, context);
        if (context.isCheck) throw new Checked();
      });
    };
    try {
      if (context.isCheck) await work();
      else await surround(body, context, work);
    } catch (error) {
      if (error instanceof Checked) return [];
      throw error;
    }
    return [];
  }

  /** Restores what an application changed here, in one transaction. */
  async function undo({ organizationId, requestId }: Of, applicationId: string): Promise<void> {
    const context = getContext(organizationId, requestId, { references: emptyReferences(), secrets: {} });
    const key = { organizationId, applicationId, step: "changes" } as const;
    const peek = await tables
      .transaction()
      .execute((transaction) => rows.reserveStep(transaction, schema, { ...key, isUndone: true, now: context.now }));
    if (!peek || peek.is_undone) return;
    const created = peek.created ?? {};
    const images = (peek.images ?? {}) as unknown as Record<string, string[]>;
    const changes = kinds.flatMap(({ kind, table, idColumn }) => [
      ...(created[kind] ?? []).map((id) => ({ kind, id, isDeletion: true })),
      ...(images[table] ?? []).map((text) => ({ kind, id: String(JSON.parse(text)[idColumn]), isDeletion: false })),
    ]);
    const work = async () => {
      await tables.transaction().execute(async (transaction) => {
        const step = await rows.reserveStep(transaction, schema, { ...key, isUndone: true, now: context.now });
        if (!step || step.is_undone) return;
        const events: CodeEvent[] = [];
        for (const served of [...kinds].reverse()) {
          const ids = created[served.kind] ?? [];
          if (ids.length > 0) events.push(...(await served.remove(transaction, ids, context)));
        }
        for (const served of kinds) {
          const ids = await restoreImages(transaction, schema, served, images);
          if (ids.length > 0) events.push(...((await served.restored?.(transaction, ids, context)) ?? []));
          await rows.restoreRowImages(transaction, schema, images[imagesOfKeys(served.kind)] ?? []);
        }
        await rows.markUndone(transaction, schema, key);
        await parts.publisher?.publish(transaction, events);
      });
    };
    if (parts.around) await parts.around(changes, context, work);
    else await work();
  }

  /** Checks an application's part, or applies it in one transaction. */
  async function change({ organizationId, requestId }: Of, body: PartChanges) {
    const context: ChangeContext = {
      ...getContext(organizationId, requestId, body),
      ...{ documents: body.documents, environments: body.environments, isCheck: body.mode === "check" },
      ...{ missingSecrets: new Set(), missingDocuments: new Set() },
    };
    const errors = await runStep(body, context);
    const { missingSecrets, missingDocuments } = context;
    return { errors, missingSecrets: [...missingSecrets].sort(), missingDocuments: [...missingDocuments].sort() };
  }

  async function forget({ organizationId }: Of, applicationId: string): Promise<void> {
    const before = new Date(clock.now().getTime() - stepRetentionMilliseconds);
    await rows.forgetImages(tables, schema, { organizationId, applicationId, before });
  }

  const toOf = ({ caller, requestId }: { caller: { organizationId: string }; requestId: string }): Of => ({
    organizationId: caller.organizationId,
    requestId,
  });

  const handlers: Handlers<typeof codePartContract> = {
    exportCodeObjects: (call) => exportObjects(toOf(call), call.body),
    changeCodeObjects: (call) => change(toOf(call), call.body),

    async undoCodeChanges(call) {
      await undo(toOf(call), call.params.applicationId);
      return undefined;
    },

    async forgetCodeChanges(call) {
      await forget(toOf(call), call.params.applicationId);
      return undefined;
    },

    findManagedObject: (call) => findManaged(toOf(call), call.params),
  };

  return { handlers, exportObjects, change, undo, forget, findManaged };
}

export type CodePart = ReturnType<typeof createCodePart>;
