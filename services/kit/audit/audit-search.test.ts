import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { testEngines } from "../testing/databases.ts";
import { indexAuditRecordNames, indexAuditRecordTerms, listAuditRecords } from "./audit-search.ts";
import { type AuditTables, createAuditTable, insertAuditRecord } from "./audit-table.ts";

const [ours, theirs] = [uuidv7(), uuidv7()];

for (const engine of testEngines()) {
  let database: Database;
  const db = () => database.inSchema<AuditTables>("searched");

  async function add(name: string, operation: string, kind: string, organizationId = ours, changed: object = {}) {
    const id = uuidv7();
    await insertAuditRecord(db(), {
      id,
      organization_id: organizationId,
      recorded_at: new Date(),
      actor_kind: "user",
      actor_id: "u1",
      actor_name: name,
      client_address: null,
      request_id: "request-1",
      operation,
      resource_kind: kind,
      resource_id: `${kind}-1`,
      before: undefined,
      after: { a: 1 },
      ...changed,
    });
    return id;
  }

  let ids: string[];
  beforeAll(async () => {
    database = await engine.open();
    const table = { "001-audit": { up: createAuditTable("searched") } };
    await migrateSchema(database, "searched", table);
    // A record from before the word search was introduced.
    const earlier = await add("ada", "changeUser", "user");
    await migrateSchema(database, "searched", { ...table, "002-words": { up: indexAuditRecordTerms("searched") } });
    ids = [
      earlier,
      await add("ada", "deleteCredential", "credential"),
      await add("bob", "changeUser", "user"),
      await add("eve", "changeUser", "user", theirs),
    ];
  });
  afterAll(() => database.close());

  async function found(search: Partial<Parameters<typeof listAuditRecords>[1]>) {
    const rows = await listAuditRecords(db(), { organizationId: ours, limit: 10, ...search });
    return rows.map(({ id }) => ids.indexOf(id));
  }

  test(`${engine.name}: an organization's records, newest first and page by page`, async () => {
    expect(await found({})).toEqual([2, 1, 0]);
    expect(await found({ limit: 1 })).toEqual([2, 1]);
    expect(await found({ beforeId: ids[2] })).toEqual([1, 0]);
  });

  test(`${engine.name}: records are found by actor, action, resource and kind, earlier ones included`, async () => {
    expect(await found({ query: "ad" })).toEqual([1, 0]);
    expect(await found({ query: "ada changeu" })).toEqual([0]);
    expect(await found({ query: "credential-1" })).toEqual([1]);
    expect(await found({ kind: "user" })).toEqual([2, 0]);
    expect(await found({ kind: "user", operation: "changeUser", query: "bob", beforeId: ids[2] })).toEqual([]);
    expect(await found({ query: "eve" })).toEqual([]);
    expect(await found({ query: "!!" })).toEqual([]);
  });

  test(`${engine.name}: records of all organizations, with and without a filter`, async () => {
    expect(await found({ organizationId: undefined })).toEqual([3, 2, 1, 0]);
    expect(await found({ organizationId: undefined, query: "changeuser" })).toEqual([3, 2, 0]);
  });

  test(`${engine.name}: records of a time range`, async () => {
    const [past, soon] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
    expect(await found({ since: past, until: soon })).toEqual([2, 1, 0]);
    expect(await found({ since: soon })).toEqual([]);
    expect(await found({ until: past, kind: "user" })).toEqual([]);
    expect(await found({ since: soon, kind: "user" })).toEqual([]);
  });

  test(`${engine.name}: records are found by their resources' names before and after, earlier ones included`, async () => {
    const renamed = { before: { name: "Every night" }, after: { name: "Hourly" } };
    const earlier = await add("ada", "changeCircle", "test circle", ours, renamed);
    expect(await found({ query: "hourly" })).toEqual([]);
    const migrations = {
      "001-audit": { up: createAuditTable("searched") },
      "002-words": { up: indexAuditRecordTerms("searched") },
      "003-names": { up: indexAuditRecordNames("searched") },
    };
    await migrateSchema(database, "searched", migrations);
    const run = { after: { source: { testCircleName: "Hourly" }, secret: "unindexed" } };
    ids.push(earlier, await add("bob", "startRun", "run", ours, run));
    await add("eve", "changeCircle", "test circle", theirs, renamed);
    expect(await found({ query: "hour" })).toEqual([5, 4]);
    expect(await found({ query: "ada every night" })).toEqual([4]);
    expect(await found({ query: "unindexed" })).toEqual([]);
    expect(await found({ query: "changecircle" })).toEqual([4]);
  });
}
