import { afterAll, beforeAll, expect, test } from "vitest";
import { chainAuditRecords } from "../audit/audit-chain.ts";
import { createAuditTable } from "../audit/audit-table.ts";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { testEngines } from "../testing/databases.ts";
import { listOrganizationTables } from "./sweep-rows.ts";

const schema = "swept";

for (const engine of testEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schema, {
      "001-audit": { up: createAuditTable(schema) },
      "002-chain": { up: chainAuditRecords(schema) },
    });
  });
  afterAll(() => database.close());

  test(`${engine.name}: the end of an audit chain is deleted after its links, so that a late record continues it`, async () => {
    const tables = await listOrganizationTables(database.kysely, schema);
    expect(tables).toEqual(["audit_links", "audit_records", "audit_chains"]);
  });
}
