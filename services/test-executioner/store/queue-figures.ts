import { sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { type ExecutionTables, schemaName } from "./tables.ts";

export interface QueueFigures {
  waiting: number;
  running: number;
  /** Age of the execution that has waited longest; 0 when none is waiting. */
  oldestSeconds: number;
  oldest: Date | null;
}

/**
 * Across all organizations, for scaling workers. Members of sequential runs whose turn has not come don't wait for a
 * worker, and neither does what waits for an agent.
 */
export async function readQueueFigures(db: Executor<ExecutionTables>, now: Date): Promise<QueueFigures> {
  const { rows } = await sql<{ waiting: number; running: number; oldest: Date | null }>`
    select
      count(*) filter (where state = 'queued' and is_released)::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      min(coalesce(waiting_since, queued_at)) filter (where state = 'queued' and is_released) as oldest
    from ${sql.id(schemaName, "unfinished_executions")} where location_id is null`.execute(db);
  const { waiting, running, oldest } = rows[0]!;
  return {
    waiting,
    running,
    oldest,
    oldestSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) : 0,
  };
}
