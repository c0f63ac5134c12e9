import { createHash } from "node:crypto";
import { sql } from "kysely";

/**
 * Equal for executions of the same version of a test with the same documents, environments and variables. A failure by a
 * credential has its own, so that a credential that is mended is a change.
 */
export function toConfiguration(
  { test_version, credential_id }: { test_version: number; credential_id: string | null },
  surroundings: string,
): string {
  const hash = createHash("md5")
    .update(`${test_version} ${credential_id ?? ""} ${surroundings}`)
    .digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The same of a stored execution and its run. */
export const configuration = sql`md5(concat(execution.test_version, ' ', execution.credential_id, ' ', run.surroundings))`;
