import { type RawBuilder, sql } from "kysely";
import type { RunSource } from "#contracts/test-executioner/runs.ts";

/** How many of the runs found by an index are examined: older ones are rarely unfinished. */
export const recentRuns = 100;

/**
 * How to find runs of this source by an index, and the condition that identifies them; a selection of several tests
 * belongs to no other source.
 */
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
