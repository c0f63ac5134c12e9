import { sql } from "kysely";
import type { InTransaction } from "../../kit/database/pipeline.ts";
import type { RunRow } from "./tables.ts";

/** A run that the transaction at hand has ended. */
export type FinishedRun = Pick<
  RunRow,
  | "id"
  | "organization_id"
  | "source_kind"
  | "test_circle_id"
  | "surroundings"
  | "trigger"
  | "state"
  | "verdict"
  | "finished_at"
>;

/** Tells of runs in the transaction that ended them. */
export type TellFinished = (transaction: InTransaction, runs: FinishedRun[]) => Promise<void>;

/** For `returning` of an update of runs named `run`; those that go on are filtered by `unfinished`. */
export const finishedColumns = sql.raw(
  [
    "id",
    "organization_id",
    "source_kind",
    "test_circle_id",
    "surroundings",
    "trigger",
    "state",
    "verdict",
    "finished_at",
    "unfinished",
  ]
    .map((column) => `run.${column}`)
    .join(", "),
);
