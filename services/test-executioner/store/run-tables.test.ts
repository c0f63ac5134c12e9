import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { findDetails, parseAttempts, parseVerifications } from "./details.ts";
import { listMembers } from "./members.ts";
import { migrations } from "./migrations.ts";
import { findRun, toRunSummary } from "./run-list.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

for (const engine of testEngines()) {
  test(`${engine.name}: executions from before runs existed are preserved`, async () => {
    const database = await engine.open();
    const { kysely } = database;
    // A database of the suite may already have the newest tables.
    await sql`drop schema if exists test_executioner cascade`.execute(kysely);
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "005"));
    await migrateSchema(database, schemaName, before);
    await sql`create schema if not exists test_analyzer`.execute(kysely);
    await sql`create table test_analyzer.recorded_executions
      (execution_id uuid primary key, organization_id uuid, verifications json)`.execute(kysely);
    const [organizationId, apiId, runId, queued, ended, testId] = Array.from({ length: 6 }, () => uuidv7()) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const facts = JSON.stringify({ baseUrls: [null, "http://a.example"], variables: { v: "1" }, documentId: apiId });
    await sql`insert into test_executioner.runs values (${runId}, ${organizationId}, ${apiId}, ${facts}, now())`.execute(
      kysely,
    );
    for (const [id, state, verdict] of [
      [queued, "queued", null],
      [ended, "finished", "failed"],
    ]) {
      await sql`insert into test_executioner.executions
        (id, organization_id, run_id, test_id, test_version, test_name, api_id, method, path, state, verdict, trigger,
          queued_at, finished_at)
        values (${id}, ${organizationId}, ${runId}, ${testId}, 1, 'a test', ${apiId}, 'get', '/', ${state},
          ${verdict}::text, 'ci', now(), now())`.execute(kysely);
    }
    const attempt = {
      ...{ number: 1, startedAt: "2026-01-01T00:00:00.000Z", durationMilliseconds: 5, verdict: "failed" as const },
      ...{ request: null, response: null, phases: null },
    };
    const verification = {
      ...{ kind: "check" as const, source: "x", outcome: "failed" as const, passed: false, message: "No." },
      actual: "\u0000\ud800",
    };
    await sql`insert into test_executioner.execution_attempts
      values (${ended}, ${organizationId}, ${JSON.stringify([attempt])})`.execute(kysely);
    await sql`insert into test_analyzer.recorded_executions
      values (${ended}, ${organizationId}, ${JSON.stringify([verification])}::json)`.execute(kysely);
    await sql`insert into test_executioner.idempotency_keys
      values (${organizationId}, 'key', 'target', array[${ended}]::uuid[], now())`.execute(kysely);

    await migrateSchema(database, schemaName, migrations);

    const db = database.inSchema<ExecutionTables>(schemaName);
    const run = await findRun(db, organizationId, runId);
    expect(toRunSummary(run!)).toMatchObject({
      source: { kind: "test", testId, testName: "a test" },
      trigger: "ci",
      startedBy: null,
      state: "queued",
      counts: { tests: 1, executions: 2, unfinished: 1, failed: 1 },
      apis: [{ apiId, documentId: apiId, baseUrl: "http://a.example" }],
    });
    const members = await listMembers(db, { organizationId, runId }, { after: 0, limit: 10 });
    expect(members.map(({ id, state }) => [id, state])).toEqual([
      [queued, "queued"],
      [ended, "finished"],
    ]);
    const details = await findDetails(db, organizationId, ended);
    expect(parseAttempts(details!)).toEqual([attempt]);
    expect(parseVerifications(details!)).toEqual([verification]);
    const key = await db.selectFrom("idempotency_keys").select("run_id").executeTakeFirst();
    expect(key).toEqual({ run_id: runId });
    const { rows } = await sql<{ there: boolean }>`
      select to_regclass('test_analyzer.recorded_executions') is not null as there`.execute(kysely);
    expect(rows).toEqual([{ there: false }]);
    await database.close();
  });
}
