import { type RawBuilder, sql } from "kysely";
import type { RunSource } from "#contracts/test-executioner/runs.ts";

/** Looked through of those an index finds together: older ones have rarely not ended. */
export const recentRuns = 100;

/** How a run of this source is found by an index, and what makes it one; a selection of several is of no other. */
export function matchSource(source: RunSource): { among: RawBuilder<unknown>; is: RawBuilder<unknown> } | undefined {
  switch (source.kind) {
    case "test":
      return { among: sql`test_id = ${source.testId}::uuid`, is: sql`source_kind = 'test'` };
    case "api":
      return {
        among: sql`api_id = ${source.apiId}::uuid`,
        is: sql`source_kind = 'api' and include = ${source.include}`,
      };
    case "circle":
      return { among: sql`test_circle_id = ${source.testCircleId}::uuid`, is: sql`source_kind = 'circle'` };
    case "rerun":
      return {
        among: sql`true`,
        is: sql`source_kind = 'rerun' and rerun_of = ${source.runId}::uuid
          and rerun_from is not distinct from ${source.from ?? null}::int`,
      };
    case "tests":
      return undefined;
  }
}
