import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoint } from "#contracts/kit/endpoint.ts";
import { connectTo } from "../client/client.ts";
import { movableClock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { noOrganization } from "../organization/no-organization.ts";
import { createService } from "../service/service.ts";
import { testEngines } from "../testing/databases.ts";
import { createTestIdentities } from "../testing/identities.ts";
import { auditRetentionDays, retainAuditRecords } from "./audit-retention.ts";
import { type AuditTables, createAuditTable } from "./audit-table.ts";

const change = { method: "post", access: "signed-in", audit: "note", summary: "Changes", status: 204 } as const;
const contract = {
  changeNote: endpoint({ ...change, path: "/notes" }),
  breakNote: endpoint({ ...change, path: "/broken-notes" }),
  forgetToRecord: endpoint({ ...change, path: "/forgotten-notes" }),
};
const noteId = "01900000-0000-7000-8000-000000000001";

for (const engine of testEngines()) {
  let database: Database;
  const identities = createTestIdentities();
  const clock = movableClock("2026-04-01T08:00:00Z");
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, "noted", { "001-audit": { up: createAuditTable("noted") } });
  });
  afterAll(() => database.close());

  const records = () => database.inSchema<AuditTables>("noted").selectFrom("audit_records").selectAll();

  function connect() {
    const db = database.inSchema<AuditTables>("noted");
    const service = createService<typeof contract>({
      name: "notes",
      description: "",
      version: "1",
      contract,
      authenticate: identities.authenticate,
      clock,
      log,
      checkHealth: async () => {},
      handlers: {
        async changeNote({ record }) {
          await db.transaction().execute((transaction) =>
            record(transaction, {
              id: noteId,
              before: { text: "a", apiToken: "s3cret" },
              after: { text: "b", headers: [{ name: "x", password: "s3cret" }] },
            }),
          );
          return undefined;
        },
        async breakNote({ record }) {
          await db.transaction().execute(async (transaction) => {
            await record(transaction, { id: noteId });
            throw new Error("undone");
          });
          return undefined;
        },
        forgetToRecord: () => undefined,
      },
    });
    return connectTo(contract, { transport: (request) => service.fetch(request) });
  }

  test(`${engine.name}: a change says who made it, when, from where and what, without secrets`, async () => {
    const { token, organizationId } = identities.tokenFor();
    const voucher = await identities.serviceToken(noOrganization);
    const client = connect()({ token, requestId: "request-1", client: { address: "203.0.113.9", voucher } });
    expect((await client.changeNote()).status).toBe(204);
    expect(await records().where("organization_id", "=", organizationId).execute()).toMatchObject([
      {
        recorded_at: clock.now(),
        actor_kind: "user",
        actor_name: "tester",
        client_address: "203.0.113.9",
        request_id: "request-1",
        operation: "changeNote",
        resource_kind: "note",
        resource_id: noteId,
        before: { text: "a" },
        after: { text: "b", headers: [{ name: "x" }] },
      },
    ]);
    expect(JSON.stringify(await records().execute())).not.toContain("s3cret");
  });

  test(`${engine.name}: an address that is not vouched for is not recorded`, async () => {
    const { token, organizationId } = identities.tokenFor();
    const voucher = identities.tokenFor().token;
    await connect()({ token, client: { address: "198.51.100.1", voucher } }).changeNote();
    const [record] = await records().where("organization_id", "=", organizationId).execute();
    expect(record).toMatchObject({ client_address: null, actor_kind: "user" });
  });

  test(`${engine.name}: a change rolled back is not recorded, and a change that records nothing is an error`, async () => {
    const { token, organizationId } = identities.tokenFor();
    expect((await connect()({ token }).breakNote()).status).toBe(500);
    expect(await records().where("organization_id", "=", organizationId).execute()).toEqual([]);
    await connect()({ token }).forgetToRecord();
    expect(logged.filter((line) => line.includes("a change was not recorded")).length).toBe(1);
    logged.length = 0;
  });

  test(`${engine.name}: records can't be changed, and are deleted by retention only`, async () => {
    const { token, organizationId } = identities.tokenFor();
    await connect()({ token }).changeNote();
    for (const statement of ["update", "delete from", "truncate"]) {
      const rest = statement === "update" ? "set actor_name = 'nobody'" : "";
      const forged = sql`${sql.raw(statement)} noted.audit_records ${sql.raw(rest)}`.execute(database.kysely);
      await expect(forged).rejects.toThrow("append-only");
    }
    const rowsAfter = async (days: number) => {
      const clock = movableClock(new Date(Date.now() + days * 86_400_000));
      await retainAuditRecords({ database, schema: "noted", clock }, new AbortController().signal);
      return (await records().where("organization_id", "=", organizationId).execute()).length;
    };
    expect(await rowsAfter(auditRetentionDays - 1)).toBe(1);
    expect(await rowsAfter(auditRetentionDays + 1)).toBe(0);
  });
}
