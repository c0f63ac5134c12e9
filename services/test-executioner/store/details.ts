import { z } from "@hono/zod-openapi";
import { type Selectable, sql } from "kysely";
import { type Verification, verification } from "#contracts/test-analyzer/verifications.ts";
import { type Attempt, attempt } from "#contracts/test-executioner/attempts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { firstIdOf, timeOfId } from "../../kit/database/id-time.ts";
import { applyDifferences } from "../domain/differences.ts";
import type { DetailColumns } from "./dated-details-tables.ts";
import { type ExecutionTables, table } from "./tables.ts";

export const detailsVersion = 1;
/** Of rows that have differences from another one. */
export const differencesVersion = 2;

const attempts = z.array(attempt);
const verifications = z.array(verification);

/** Complete, whether or not they are stored that way. */
export interface Details {
  execution_id: string;
  attempts: string;
  verifications: string;
  /** Execution whose response was the same, and is stored. */
  base_id: string | null;
}

/** Between the creations of two executions, one of which is stored as differences from the other, in milliseconds. */
export const maxApart = 86_400_000;
const noId = "00000000-0000-0000-0000-000000000000";
/** Milliseconds: what an id can express. */
const latestTime = 2 ** 48 - 1;

/** An execution's details are in one of these tables. */
const stored = sql`(
  select execution_id, organization_id, schema_version, attempts, verifications, base_id from ${table("execution_details")}
  union all
  select execution_id, organization_id, schema_version, attempts, verifications, base_id from ${table("dated_details")}
)`;
/**
 * `details` of these executions, with what they may have differences from. With the times between which those were created, few of
 * the partitions by day are looked into.
 */
export function detailsWithBase(executionIds: readonly string[]) {
  const ids = executionIds.toSorted();
  const first = timeOfId(ids.at(0) ?? noId).getTime() - maxApart;
  const last = Math.min(timeOfId(ids.at(-1) ?? noId).getTime() + maxApart + 1, latestTime);
  const isBase = sql`execution_id = details.base_id and organization_id = details.organization_id`;
  // For each by its id: joined as a whole, tables of this size would be read as a whole.
  return sql`(select * from ${stored} stored where execution_id = any(${executionIds}::uuid[])) details
  left join lateral (
    select attempts, verifications from ${table("execution_details")} where ${isBase}
    union all
    select attempts, verifications from ${table("dated_details")} where ${isBase}
      and execution_id >= ${firstIdOf(new Date(first))}::uuid and execution_id < ${firstIdOf(new Date(last))}::uuid
    offset 0
  ) base on true`;
}
/** Of `detailsWithBase`, for `toDetails`. */
export const detailColumns = sql`details.execution_id, details.schema_version, details.attempts, details.verifications,
  details.base_id, base.attempts as base_attempts, base.verifications as base_verifications`;
/** Bytes of the complete attempts, nearly. */
export const attemptBytes = sql<number>`octet_length(coalesce(base.attempts, details.attempts))`;

export interface DetailsRow extends Details {
  schema_version: number;
  base_attempts: string | null;
  base_verifications: string | null;
}

/** Undefined if what it has differences from has been deleted. */
export function toDetails(row: DetailsRow): Details | undefined {
  const { execution_id, schema_version: version, base_id, base_attempts, base_verifications } = row;
  if (version === detailsVersion) {
    return { execution_id, attempts: row.attempts, verifications: row.verifications, base_id: null };
  }
  if (version !== differencesVersion) throw new Error(`Details of version ${version} are not known here.`);
  if (base_attempts === null || base_verifications === null) return undefined;
  const base = [JSON.parse(base_attempts), JSON.parse(base_verifications)];
  const [own, judged] = applyDifferences(base, row.attempts);
  return { execution_id, base_id, attempts: JSON.stringify(own), verifications: JSON.stringify(judged) };
}

/** As they are stored, complete or not. */
export async function listStoredDetails(
  db: Executor<ExecutionTables>,
  organizationId: string,
  executionIds: readonly string[],
): Promise<Selectable<DetailColumns>[]> {
  const { rows } = await sql<Selectable<DetailColumns>>`
    select * from ${stored} details
    where organization_id = ${organizationId}::uuid and execution_id = any(${executionIds}::uuid[])`.execute(db);
  return rows;
}

export function parseAttempts(details: Pick<Details, "attempts">): Attempt[] {
  return attempts.parse(JSON.parse(details.attempts));
}

export function parseVerifications(details: Pick<Details, "verifications">): Verification[] {
  return verifications.parse(JSON.parse(details.verifications));
}

/** By execution; omits those that have not ended, belong to another organization, or whose details were deleted. */
export async function loadDetails(
  db: Executor<ExecutionTables>,
  organizationId: string,
  executionIds: readonly string[],
  { maxBytes = Number.MAX_SAFE_INTEGER } = {},
): Promise<Map<string, Details>> {
  const { rows } = await sql<DetailsRow>`
    select ${detailColumns} from ${detailsWithBase(executionIds)}
    where details.organization_id = ${organizationId}::uuid
      and ${attemptBytes} <= ${maxBytes}::bigint`.execute(db);
  return new Map(rows.flatMap((row) => toDetails(row) ?? []).map((details) => [details.execution_id, details]));
}

/** Undefined if the execution has not ended, belongs to another organization, or its details have been deleted. */
export async function findDetails(
  db: Executor<ExecutionTables>,
  organizationId: string,
  executionId: string,
): Promise<Details | undefined> {
  return (await loadDetails(db, organizationId, [executionId])).get(executionId);
}
