import { parseSurroundings } from "./surroundings.ts";
import type { ExecutionDatabase } from "./tables.ts";

/** Which of its places the last whole run of a circle was sent from; undefined before the first that took turns. */
export type FindLastTurn = (organizationId: string, testCircleId: string) => Promise<number | undefined>;

export function createFindLastTurn(db: ExecutionDatabase): FindLastTurn {
  return async (organizationId, testCircleId) => {
    const run = await db
      .selectFrom("runs")
      .select("surroundings")
      .where("organization_id", "=", organizationId)
      .where("test_circle_id", "=", testCircleId)
      .where("source_kind", "=", "circle")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return run && parseSurroundings(run.surroundings).places?.turn;
  };
}
