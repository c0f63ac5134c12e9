import { z } from "@hono/zod-openapi";
import { sql } from "kysely";
import { type Verification, verification } from "#contracts/test-analyzer/verifications.ts";
import { type Attempt, attempt } from "#contracts/test-executioner/attempts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { applyDifferences } from "../domain/differences.ts";
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

/** `details`, with what it may have differences from. */
export const detailsWithBase = sql`${table("execution_details")} details
  left join ${table("execution_details")} base
    on base.execution_id = details.base_id and base.organization_id = details.organization_id`;
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
    select ${detailColumns} from ${detailsWithBase}
    where details.organization_id = ${organizationId}::uuid and details.execution_id = any(${executionIds}::uuid[])
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
