import { type Kysely, sql } from "kysely";
import type { Exploration, Finding } from "#contracts/test-executioner/explorations.ts";
import { type ExecutionDatabase, type ExecutionTables, table } from "./tables.ts";

type Found = Exploration["found"][number];

/** What an exploration found, in the order in which it was found. */
export async function listFindings(
  db: ExecutionDatabase,
  organizationId: string,
  exploration: { id: string; apiId: string },
): Promise<Found[]> {
  const { rows } = await sql<{ finding: string; is_known: boolean }>`
    select found.finding, exists (
      select from ${table("exploration_findings")} earlier
      where earlier.organization_id = ${organizationId}::uuid and earlier.api_id = ${exploration.apiId}::uuid
        and earlier.key = found.key and earlier.exploration_id < found.exploration_id
    ) as is_known
    from ${table("exploration_findings")} found
    where found.organization_id = ${organizationId}::uuid and found.exploration_id = ${exploration.id}::uuid
    order by found.number`.execute(db);
  return rows.map((row) => ({ ...readFinding(row.finding), isKnown: row.is_known }));
}

const readFinding = (text: string): Finding => JSON.parse(text);

/** Stores findings of a running exploration: new ones, and those that were seen again. None of a deleted one. */
export async function storeFindings(
  db: Kysely<ExecutionTables>,
  exploration: { organizationId: string; id: string },
  findings: readonly { number: number; finding: Finding }[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return;
  await sql`
    insert into ${table("exploration_findings")} (organization_id, exploration_id, api_id, key, number, finding, found_at)
    select organization_id, exploration.id, api_id, key, number, finding, ${now}::timestamptz
    from (
      select organization_id, id, api_id from ${table("explorations")}
      where organization_id = ${exploration.organizationId}::uuid and id = ${exploration.id}::uuid for key share
    ) exploration, unnest(
      ${findings.map((one) => one.finding.key)}::text[], ${findings.map(({ number }) => number)}::int[],
      ${findings.map((one) => JSON.stringify(cutBodies(one.finding)))}::text[]
    ) as given(key, number, finding)
    on conflict (organization_id, exploration_id, key) do update set finding = excluded.finding`.execute(db);
}

/** Characters of a response's body that are stored with a finding. */
const maxBodyCharacters = 20_000;

function cutBodies(found: Finding): Finding {
  const steps = found.steps.map((step) => {
    const { response } = step;
    if (!response?.body || response.body.length <= maxBodyCharacters) return step;
    const body = response.body.slice(0, maxBodyCharacters);
    return { ...step, response: { ...response, body, keptBytes: Buffer.byteLength(body) } };
  });
  return { ...found, steps };
}
