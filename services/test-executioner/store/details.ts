import { z } from "@hono/zod-openapi";
import { type Verification, verification } from "#contracts/test-analyzer/verifications.ts";
import { type Attempt, attempt } from "#contracts/test-executioner/attempts.ts";
import type { ExecutionDatabase, ExecutionTables } from "./tables.ts";

export const detailsVersion = 1;

const attempts = z.array(attempt);
const verifications = z.array(verification);

type Details = Pick<ExecutionTables["execution_details"], "schema_version" | "attempts" | "verifications">;

function requireKnown({ schema_version: version }: Details): void {
  if (version !== detailsVersion) throw new Error(`Details of version ${version} are not known here.`);
}

export function parseAttempts(details: Details): Attempt[] {
  requireKnown(details);
  return attempts.parse(JSON.parse(details.attempts));
}

export function parseVerifications(details: Details): Verification[] {
  requireKnown(details);
  return verifications.parse(JSON.parse(details.verifications));
}

/** Undefined if the execution has not ended, belongs to another organization, or its details have been deleted. */
export async function findDetails(
  db: ExecutionDatabase,
  organizationId: string,
  executionId: string,
): Promise<Details | undefined> {
  return await db
    .selectFrom("execution_details")
    .select(["schema_version", "attempts", "verifications"])
    .where("organization_id", "=", organizationId)
    .where("execution_id", "=", executionId)
    .executeTakeFirst();
}
