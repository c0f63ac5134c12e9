import type { TestCode } from "#contracts/code/test.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Clock } from "../../../kit/clock/clock.ts";
import type { ChangeContext, CodeEvent, Resolved, ServedKind } from "../../../kit/code/code-kind.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import type { PlanLedger } from "../../../kit/plan/plan-ledger.ts";
import { fieldPath } from "../../../kit/service/field-path.ts";
import { findTestErrors } from "../../domain/test-rules.ts";
import type { TestDatabase, TestTables, TestTransaction } from "../../store/tables.ts";
import {
  findTests,
  insertTests,
  readTest,
  removeTestsByIds,
  type StoredRow,
  type TestRow,
  updateTests,
} from "../../store/tests.ts";
import { followDeletion } from "../deletions.ts";
import { requireFiles } from "../require-files.ts";
import { toColumns, toEvent } from "../tests.ts";
import type { createReadCredentials, KnownCredentials } from "./credentials.ts";

const maxPerStatement = 250;
const maxPerEvent = 500;

const inChunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Without its location, which belongs to an installation like its agents. */
function toValue({ name, method, path, enabled, tags, ...row }: TestRow, known: KnownCredentials | undefined) {
  const { locationId: _location, ...definition } = row.definition;
  const { authorization } = definition.request;
  if (authorization.kind !== "credentials") return { name, method, path, enabled, tags, ...definition };
  const bindings = authorization.bindings.map(({ schemeName, credentialId }) => ({
    schemeName,
    credential: known!.toReference(credentialId),
  }));
  const request = { ...definition.request, authorization: { kind: "credentials", bindings } };
  return { name, method, path, enabled, tags, ...definition, request };
}

const namesCredentials = (value: { request: { authorization: { kind: string } } }) =>
  value.request.authorization.kind === "credentials";

/** The ordinary input of a test; credentials that are unknown are reported. */
function toInput(value: TestCode, known: KnownCredentials | undefined, fail: (path: string, message: string) => void) {
  const { authorization } = value.request;
  if (authorization.kind !== "credentials") return { ...value, tags: [...new Set(value.tags)] } as TestInput;
  const bindings = authorization.bindings.map(({ schemeName, credential }, index) => {
    const credentialId = known!.idOf(credential);
    if (!credentialId) {
      const message = `There is no credential ${credential.name} for ${credential.domain}. Store it in the portal first`;
      fail(`request.authorization.bindings[${index}].credential`, message);
    }
    return { schemeName, credentialId: credentialId ?? "" };
  });
  const request = { ...value.request, authorization: { kind: "credentials" as const, bindings } };
  return { ...value, tags: [...new Set(value.tags)], request } as TestInput;
}

/** Tests of files. */
export function createTestKind(parts: {
  db: TestDatabase;
  clock: Clock;
  plans: PlanLedger;
  readCredentials: ReturnType<typeof createReadCredentials>;
}): ServedKind<TestInput, TestTables> {
  const { db, clock, plans, readCredentials } = parts;

  const toRow = (
    { change, input }: Resolved<TestInput>,
    { organizationId, references, now }: ChangeContext,
    before?: TestRow,
  ): TestRow => ({
    ...{ id: change.id, organization_id: organizationId, api_id: references.idOf("api", change.parent ?? "")! },
    ...toColumns(input, now, before?.definition),
    ...{ version: 1, created_at: now },
  });

  async function create(
    transaction: TestTransaction,
    items: Resolved<TestInput>[],
    context: ChangeContext,
  ): Promise<CodeEvent[]> {
    const { organizationId } = context;
    const rows = items.map((item) => toRow(item, context));
    for (const chunk of inChunks(rows, maxPerStatement)) await insertTests(transaction, chunk);
    await plans.add(transaction, organizationId, rows.length);
    const apiIds = [...new Set(rows.map(({ api_id }) => api_id))];
    return apiIds.flatMap((apiId) => {
      const ids = rows.filter(({ api_id }) => api_id === apiId).map(({ id }) => id);
      return inChunks(ids, maxPerEvent).map((testIds) => ({
        ...{ type: "tests.created", organizationId, resource: `api/${apiId}`, payload: { apiId, testIds } },
      }));
    });
  }

  return {
    kind: "test",
    ...{ table: "tests", idColumn: "id", parentColumn: "api_id", keyText: "name", unrestored: ["name_key"] },

    async list(executor, query, context) {
      const stored = await readObjects<StoredRow>(executor, this, query, context);
      const rows = stored.map((row) => readTest(row));

      const known = rows.some(({ definition }) => namesCredentials(definition))
        ? await readCredentials(context)
        : undefined;
      return rows.map((row) => ({
        ...{ id: row.id, parentId: row.api_id, name: row.name },
        value: toValue(row, known) as unknown as JsonRecord,
      }));
    },

    async resolve(changes, context, fail) {
      const { organizationId, requestId } = context;
      await plans.require(organizationId, requestId);
      const values = changes.map((change) => ({ change, value: change.value as unknown as TestCode }));
      const known = values.some(({ value }) => namesCredentials(value)) ? await readCredentials(context) : undefined;
      const items = values.map(({ change, value }) => {
        const report = fail(change);
        if (!context.references.idOf("api", change.parent ?? "")) report("", `There is no API ${change.parent}`);
        const input = toInput(value, known, report);
        const refused = testInput.safeParse(input).error?.issues.filter(({ code }) => code === "custom") ?? [];
        for (const { path, message } of refused) report(fieldPath(path), message);
        for (const { path, message } of findTestErrors(input)) report(path, message);
        return { change, input };
      });
      await reportUnknownFiles(db, items, context, fail);
      return items;
    },

    async write(transaction, items, context) {
      const created = items.filter(({ change }) => change.action === "create");
      const events: CodeEvent[] = created.length > 0 ? await create(transaction, created, context) : [];
      const changed = items.filter(({ change }) => change.action === "change");
      for (const chunk of inChunks(changed, maxPerStatement)) {
        const ids = chunk.map(({ change }) => change.id);
        const stored = await findTests(transaction, context.organizationId, ids);
        const known = new Map(stored.map((row) => [row.id, row]));
        const rows = chunk.map((item) => {
          const before = known.get(item.change.id);
          const { version: _version, created_at: _created, api_id: _api, ...row } = toRow(item, context, before);
          return row;
        });
        const updated = await updateTests(transaction, context.organizationId, rows);
        if (updated.length < rows.length) throw new Problem("stale_version", "A test has been deleted.");
        events.push(...updated.map((row) => toEvent("test.changed", row)));
      }
      return events;
    },

    async remove(transaction, ids, { organizationId }) {
      const removed = await removeTestsByIds(transaction, organizationId, ids);
      const events: CodeEvent[] = [];
      for (const apiId of new Set(removed.map(({ api_id }) => api_id))) {
        const testIds = removed.filter(({ api_id }) => api_id === apiId).map(({ id }) => id);
        const deleted = { apiId, testIds, isApiGone: false };
        events.push(...(await followDeletion({ clock, plans }, transaction, organizationId, deleted)).events);
      }
      return events;
    },

    async restored(transaction, ids, { organizationId }) {
      const rows = await findTests(transaction, organizationId, ids);
      return rows.map((row) => toEvent("test.changed", row));
    },
  };
}

/** Also keeps named files from being deleted, as saving a test does. */
async function reportUnknownFiles(
  db: TestDatabase,
  items: Resolved<TestInput>[],
  { organizationId, now }: ChangeContext,
  fail: Parameters<ServedKind["resolve"]>[2],
): Promise<void> {
  for (const { change, input } of items) {
    const { kind } = input.request.body;
    if (kind !== "file" && kind !== "multipart") continue;
    try {
      await db.transaction().execute((one) => requireFiles(one, organizationId, [{ test: input }], now));
    } catch (error) {
      if (!(error instanceof Problem) || !error.extras.errors) throw error;
      for (const { path, message } of error.extras.errors) fail(change)(path, message);
    }
  }
}
