import { sql } from "kysely";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { type ExecutionDatabase, table } from "./tables.ts";

const maxRuns = 12;

interface ApiRuns {
  apiId: string;
  /** Newest first. */
  runs: { runId: string; verdict: Verdict | null; finishedAt: string }[];
}

/** The last finished runs with a test of each API, by the indexes that list its runs: a few rows each, however many. */
export async function listApiRuns(db: ExecutionDatabase, organizationId: string, apiIds: string[]): Promise<ApiRuns[]> {
  const columns = sql`run.id, run.verdict, run.finished_at from ${table("runs")} run`;
  const { rows } = await sql<{ given_id: string; id: string; verdict: Verdict | null; finished_at: Date }>`
    select given.id as given_id, newest.* from unnest(${apiIds}::uuid[]) as given(id), lateral (
      (select ${columns}
      where run.organization_id = ${organizationId}::uuid and run.api_id = given.id and run.finished_at is not null
      order by run.id desc limit ${maxRuns})
      union all
      (select ${columns} join ${table("run_apis")} of_api on of_api.run_id = run.id
      where of_api.organization_id = ${organizationId}::uuid and of_api.api_id = given.id
        and run.organization_id = ${organizationId}::uuid and run.finished_at is not null
      order by of_api.run_id desc limit ${maxRuns})
      order by id desc limit ${maxRuns}
    ) newest
    order by newest.id desc`.execute(db);
  const byApi = new Map<string, ApiRuns["runs"]>();
  for (const { given_id, id, verdict, finished_at } of rows) {
    const runs = byApi.get(given_id) ?? [];
    runs.push({ runId: id, verdict, finishedAt: finished_at.toISOString() });
    byApi.set(given_id, runs);
  }
  return [...byApi].map(([apiId, runs]) => ({ apiId, runs }));
}
