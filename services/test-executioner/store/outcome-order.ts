import { type RawBuilder, sql } from "kysely";
import type { OutcomeSort } from "#contracts/test-executioner/executions.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { type CursorValues, readCursor, readIdCursor } from "../../kit/database/keyset.ts";
import { verdictRanking, verdictRanks } from "../domain/verdict.ts";

/** Null without a verdict. */
export const rankOf = (verdict: RawBuilder<unknown>) =>
  sql`array_position(${sql.raw(`array[${verdictRanking.map((one) => `'${one}'`)}]`)}, ${verdict})`;

interface OutcomeRow {
  id: string;
  verdict: Verdict | null;
}

export interface OutcomeOrder {
  /** Each finds rows that no other does, from the cursor on, by an index that ends with the id. */
  wheres: RawBuilder<unknown>[];
  order: RawBuilder<unknown>;
  /** Within one of the conditions. */
  innerOrder: RawBuilder<unknown>;
  /** Only rows with a verdict are in it. */
  hasVerdictOnly: boolean;
  cursorOf: (row: OutcomeRow) => CursorValues;
}

/**
 * Order and position of a page of runs or executions. By verdict, one index range follows the other, so that a page costs
 * the same however many rows there are.
 */
export function orderOutcomes(sort: OutcomeSort = "-started", cursor?: string): OutcomeOrder {
  if (sort === "verdict" || sort === "-verdict") return orderByVerdict(sort, cursor);
  const [than, direction] = sort === "started" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const order = sql`id ${direction}`;
  return {
    wheres: [cursor ? sql`id ${than} ${readIdCursor(cursor)}::uuid` : sql`true`],
    ...{ order, innerOrder: order, hasVerdictOnly: false, cursorOf: ({ id }) => [id] },
  };
}

function orderByVerdict(sort: "verdict" | "-verdict", cursor: string | undefined): OutcomeOrder {
  const isWorstFirst = sort === "verdict";
  const verdicts = isWorstFirst ? verdictRanking.toReversed() : verdictRanking;
  const [reached, id] = cursor ? readCursor(cursor, ["position", "id"]) : [isWorstFirst ? 99 : 0, null];
  const isAhead = (rank: number) => (isWorstFirst ? rank <= Number(reached) : rank >= Number(reached));
  return {
    wheres: verdicts
      .filter((verdict) => isAhead(verdictRanks[verdict]))
      .map((verdict) =>
        id !== null && verdictRanks[verdict] === reached
          ? sql`verdict = ${verdict} and id < ${id}::uuid`
          : sql`verdict = ${verdict}`,
      ),
    order: sql`${rankOf(sql`verdict`)} ${isWorstFirst ? sql`desc` : sql`asc`}, id desc`,
    innerOrder: sql`id desc`,
    hasVerdictOnly: true,
    cursorOf: (row) => [verdictRanks[row.verdict!], row.id],
  };
}
