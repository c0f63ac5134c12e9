import { sql } from "kysely";
import { toHashId } from "../domain/hash-id.ts";

/**
 * Equal for executions of the same version of a test with the same documents, environments and variables. A failure by a
 * credential has its own, so that a credential that is mended is a change. Places of one run have each their own: what differs between them is no
 * unsteadiness.
 * @param isOfSeveral whether the run is sent from several places
 */
export function toConfiguration(
  {
    test_version,
    credential_id,
    location_id,
  }: { test_version: number; credential_id: string | null; location_id: string | null },
  surroundings: string,
  isOfSeveral: boolean,
): string {
  const place = isOfSeveral ? ` ${location_id ?? "portal"}` : "";
  return toHashId(`${test_version} ${credential_id ?? ""} ${surroundings}${place}`);
}

/** The same of a stored execution and its run. */
export const configuration = sql`md5(concat(execution.test_version, ' ', execution.credential_id, ' ', run.surroundings,
  case when run.series_size is not null then ' ' || coalesce(execution.location_id::text, 'portal') end))`;
