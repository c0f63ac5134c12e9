import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import {
  type Exploration,
  type ExplorationSummary,
  type ExploredOperation,
  explorationSummary,
  exploredOperation,
} from "#contracts/test-executioner/explorations.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/** Explorations, each with its progress, and the lease of the process that runs it. */
export async function createExplorations(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "explorations")} (
      organization_id uuid not null,
      id uuid not null,
      api_id uuid not null,
      input text not null,
      trigger text not null,
      state text not null default 'queued',
      is_cancelled boolean not null default false,
      ending text,
      message text,
      requests integer not null default 0,
      operations integer not null default 0,
      findings integer not null default 0,
      explored text not null default '[]',
      fencing_token integer not null default 0,
      leased_until timestamptz,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      primary key (organization_id, id)
    )`.execute(db);
  const explorations = sql.id(schemaName, "explorations");
  await sql`create index explorations_api on ${explorations} (organization_id, api_id, id)`.execute(db);
  // One at a time for each API. Also finds what waits.
  await sql`create unique index explorations_unfinished on ${explorations} (organization_id, api_id)
    where finished_at is null`.execute(db);
  await sql`
    create table ${sql.id(schemaName, "exploration_findings")} (
      organization_id uuid not null,
      exploration_id uuid not null,
      api_id uuid not null,
      key text not null,
      number integer not null,
      finding text not null,
      found_at timestamptz not null,
      primary key (organization_id, exploration_id, key)
    )`.execute(db);
  await sql`create index exploration_findings_key on ${sql.id(schemaName, "exploration_findings")}
    (organization_id, api_id, key)`.execute(db);
}

export type ExplorationRow = Selectable<ExecutionTables["explorations"]>;
export type StoredInput = Exploration["input"];

/** As many of an API are stored. */
const maxStored = 50;

const storedInput = explorationSummary.shape.input;

export function writeInput(input: StoredInput): string {
  return JSON.stringify(input);
}

export const parseInput = (row: Pick<ExplorationRow, "input">): StoredInput => storedInput.parse(JSON.parse(row.input));

export const parseExplored = (row: Pick<ExplorationRow, "explored">): ExploredOperation[] =>
  exploredOperation.array().parse(JSON.parse(row.explored));

export function toExplorationSummary(row: ExplorationRow): ExplorationSummary {
  const { id, api_id: apiId, state, ending, message, requests, findings, operations } = row;
  return {
    ...{ id, apiId, state, ending, message, input: parseInput(row), requests, findings, operations },
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** @returns false while another exploration of the API has not ended */
export async function insertExploration(
  transaction: Transaction<ExecutionTables>,
  given: { organizationId: string; id: string; apiId: string; input: StoredInput; trigger: RunTrigger; now: Date },
): Promise<boolean> {
  const { organizationId, id, apiId, input, trigger, now } = given;
  const { rows } = await sql`
    insert into ${table("explorations")} (organization_id, id, api_id, input, trigger, created_at)
    values (${organizationId}::uuid, ${id}::uuid, ${apiId}::uuid, ${writeInput(input)}, ${trigger},
      ${now}::timestamptz)
    on conflict (organization_id, api_id) where finished_at is null do nothing
    returning id`.execute(transaction);
  if (rows.length === 0) return false;
  await deleteAllBut(transaction, organizationId, apiId);
  return true;
}

/** Deletes all but the newest of an API, with what they found. */
async function deleteAllBut(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  apiId: string,
): Promise<void> {
  await sql`
    with old as (
      select id from ${table("explorations")}
      where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid
      order by id desc offset ${maxStored}
    ), found as (
      delete from ${table("exploration_findings")}
      where organization_id = ${organizationId}::uuid and exploration_id in (select id from old)
    )
    delete from ${table("explorations")}
    where organization_id = ${organizationId}::uuid and id in (select id from old)`.execute(transaction);
}

export async function findExploration(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  id: string,
): Promise<ExplorationRow | undefined> {
  return await db
    .selectFrom("explorations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Of an API, the latest first. */
export async function listExplorations(
  db: ExecutionDatabase,
  organizationId: string,
  { apiId, limit, cursor }: { apiId: string; limit: number; cursor?: string | undefined },
): Promise<{ items: ExplorationSummary[]; nextCursor: string | null }> {
  let query = db
    .selectFrom("explorations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId);
  if (cursor) query = query.where("id", "<", readIdCursor(cursor));
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  return pageFrom(rows, limit, ({ id }) => [id], toExplorationSummary);
}

/**
 * Ends one that waits; one that runs is marked, and its process ends it.
 * @returns the row as it was before; undefined if there is none
 */
export async function cancelExploration(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  id: string,
  now: Date,
): Promise<ExplorationRow | undefined> {
  const before = await transaction
    .selectFrom("explorations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!before || before.finished_at) return before;
  const ended =
    before.state === "queued"
      ? { state: "cancelled" as const, ending: "cancelled" as const, finished_at: now }
      : undefined;
  await transaction
    .updateTable("explorations")
    .set({ is_cancelled: true, ...ended })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
  return before;
}

/** Of an organization, those older than its plan stores responses, which they quote. */
export async function deleteExplorationsBefore(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  firstId: string,
): Promise<void> {
  await db
    .deleteFrom("exploration_findings")
    .where("organization_id", "=", organizationId)
    .where("exploration_id", "<", firstId)
    .execute();
  await db
    .deleteFrom("explorations")
    .where("organization_id", "=", organizationId)
    .where("id", "<", firstId)
    .where("finished_at", "is not", null)
    .execute();
}
