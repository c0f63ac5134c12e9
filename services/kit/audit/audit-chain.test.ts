import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { firstIdOf } from "../database/id-time.ts";
import { migrateSchema } from "../database/migrate.ts";
import { testEngines } from "../testing/databases.ts";
import { type AuditChainTables, chainAuditRecords, checkAuditChain, indexAuditRecordKinds } from "./audit-chain.ts";
import { createAuditTable, deleteAuditRecordsBefore, insertAuditRecord, insertAuditRecords } from "./audit-table.ts";

const schema = "chained";
const longAgo = new Date("2020-01-01T00:00:00Z");
const retainedSince = new Date("2024-01-01T00:00:00Z");

for (const engine of testEngines()) {
  let database: Database;
  /** Contains records from before chains were introduced. */
  const early = uuidv7();

  beforeAll(async () => {
    database = await engine.open();
    const table = { "001-audit": { up: createAuditTable(schema) } };
    await migrateSchema(database, schema, table);
    await add(early, 3);
    const chain = { ...table, "002-chain": { up: chainAuditRecords(schema) } };
    await migrateSchema(database, schema, chain);
    await migrateSchema(database, schema, { ...chain, "003-quicker": { up: indexAuditRecordKinds(schema) } });
  });
  afterAll(() => database.close());

  const db = () => database.inSchema<AuditChainTables>(schema);

  const toRecord = (organizationId: string, recordedAt = new Date()) => {
    const id = firstIdOf(recordedAt).slice(0, 14) + uuidv7().slice(14);
    return {
      id,
      organization_id: organizationId,
      recorded_at: recordedAt,
      actor_kind: "user" as const,
      actor_id: "u1",
      actor_name: "ada",
      client_address: null,
      request_id: "request-1",
      operation: "changeNote",
      resource_kind: "note",
      resource_id: id,
      before: { size: 1.5, text: "é" },
      after: undefined,
    };
  };

  async function add(organizationId: string, count: number, recordedAt?: Date): Promise<string[]> {
    const records = Array.from({ length: count }, () => toRecord(organizationId, recordedAt));
    await db()
      .transaction()
      .execute(async (transaction) => {
        for (const record of records) await insertAuditRecord(transaction, record);
      });
    return records.map(({ id }) => id);
  }

  async function check(organizationId: string) {
    const { length, breaks } = await checkAuditChain(db(), { schema, organizationId, retainedSince });
    return [length, ...breaks.map(({ kind, position }) => `${kind} ${position}`)];
  }

  /** Changes that only the owner of the database can make. */
  async function tamper(table: "audit_records" | "audit_links", change: ReturnType<typeof sql>): Promise<void> {
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`alter table ${sql.id(schema, table)} disable trigger user`.execute(transaction);
      await change.execute(transaction);
      await sql`alter table ${sql.id(schema, table)} enable trigger user`.execute(transaction);
    });
  }
  const records = sql.id(schema, "audit_records");
  const links = sql.id(schema, "audit_links");

  test(`${engine.name}: records form a chain, earlier ones included`, async () => {
    expect(await check(early)).toEqual([3]);
    await add(early, 2);
    expect(await check(early)).toEqual([5]);
    expect(await check(uuidv7())).toEqual([0]);
  });

  test(`${engine.name}: removed, changed and added records are detected and located`, async () => {
    const organizationId = uuidv7();
    const ids = await add(organizationId, 6);
    await tamper("audit_records", sql`delete from ${records} where id = ${ids[1]}`);
    await tamper("audit_records", sql`update ${records} set actor_name = 'eve' where id = ${ids[3]}`);
    const added = sql`insert into ${records} select ${uuidv7()}::uuid, organization_id, recorded_at, actor_kind, actor_id,
      actor_name, client_address, request_id, operation, resource_kind, resource_id from ${records} where id = ${ids[0]}`;
    await tamper("audit_records", added);
    expect(await check(organizationId)).toEqual([6, "removed 2", "changed 4", "added null"]);
  });

  test(`${engine.name}: removed and rewritten links are detected, the newest ones included`, async () => {
    const [between, newest, rewritten] = [uuidv7(), uuidv7(), uuidv7()];
    for (const organizationId of [between, newest, rewritten]) await add(organizationId, 4);
    await tamper("audit_links", sql`delete from ${links} where organization_id = ${between} and position = 2`);
    await tamper("audit_links", sql`delete from ${links} where organization_id = ${newest} and position > 2`);
    const other = sql`update ${links} set recorded_at = ${longAgo} where organization_id = ${rewritten} and position = 3`;
    await tamper("audit_links", other);
    expect((await check(between)).slice(0, 2)).toEqual([4, "cut 3"]);
    expect((await check(newest)).slice(0, 2)).toEqual([4, "cut 4"]);
    expect(await check(rewritten)).toEqual([4, "cut 3"]);
  });

  test(`${engine.name}: records deleted by retention do not break the chain`, async () => {
    const organizationId = uuidv7();
    await add(organizationId, 3, longAgo);
    await add(organizationId, 2);
    expect(await deleteAuditRecordsBefore(db(), { before: retainedSince, limit: 100 })).toBe(3);
    expect(await check(organizationId)).toEqual([5]);
  });

  test(`${engine.name}: links can't be changed or deleted by mistake`, async () => {
    await expect(sql`update ${links} set position = 9`.execute(database.kysely)).rejects.toThrow(/append-only/);
    await expect(sql`delete from ${links}`.execute(database.kysely)).rejects.toThrow(/append-only/);
  });

  test(`${engine.name}: no table of the chain is emptied by mistake, and one that its owner emptied is detected`, async () => {
    for (const table of [records, links])
      await expect(sql`truncate ${table}`.execute(database.kysely)).rejects.toThrow(/append-only/);
    const organizationId = uuidv7();
    /** Empties a table, and puts everything back. */
    const checkWithout = async (table: "audit_records" | "audit_links") => {
      let found: (string | number)[] = [];
      const undone = database.kysely.transaction().execute(async (transaction) => {
        await sql`alter table ${sql.id(schema, table)} disable trigger user`.execute(transaction);
        await sql`truncate ${sql.id(schema, table)}`.execute(transaction);
        const inside = transaction.withSchema(schema) as unknown as ReturnType<typeof db>;
        const { length, breaks } = await checkAuditChain(inside, { schema, organizationId, retainedSince });
        found = [length, ...breaks.map(({ kind, position }) => `${kind} ${position}`)];
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      return found;
    };
    await add(organizationId, 2);
    expect(await checkWithout("audit_records")).toEqual([2, "removed 1", "removed 2"]);
    expect((await checkWithout("audit_links")).slice(0, 2)).toEqual([2, "cut 2"]);
    expect(await check(organizationId)).toEqual([2]);
  });

  test(`${engine.name}: records of concurrent transactions are linked in sequence, without those rolled back`, async () => {
    const organizationId = uuidv7();
    await Promise.all(Array.from({ length: 8 }, () => add(organizationId, 3)));
    const undone = db()
      .transaction()
      .execute(async (transaction) => {
        await insertAuditRecord(transaction, toRecord(organizationId));
        throw new Error("undone");
      });
    await expect(undone).rejects.toThrow("undone");
    expect(await check(organizationId)).toEqual([24]);
  });

  test(`${engine.name}: a transaction of several organizations, partly rolled back, links the remaining records`, async () => {
    const [one, other] = [uuidv7(), uuidv7()];
    await add(one, 2);
    const linkNow = sql`set constraints all immediate`;
    await db()
      .transaction()
      .execute(async (transaction) => {
        await insertAuditRecords(
          transaction,
          [one, other, one, other, one].map((id) => toRecord(id)),
        );
        await linkNow.execute(transaction);
        await sql`savepoint before_more`.execute(transaction);
        await insertAuditRecords(
          transaction,
          [one, one, other].map((id) => toRecord(id)),
        );
        await linkNow.execute(transaction);
        await sql`rollback to savepoint before_more`.execute(transaction);
        await insertAuditRecords(
          transaction,
          [other, one].map((id) => toRecord(id)),
        );
      });
    await add(one, 1);
    expect([await check(one), await check(other)]).toEqual([[7], [3]]);
  });
}
