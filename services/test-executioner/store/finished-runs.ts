import { sql } from "kysely";
import type { InTransaction } from "../../kit/database/pipeline.ts";
import type { RunRow } from "./tables.ts";

/** A run that the current transaction has ended. */
export type FinishedRun = Pick<
  RunRow,
  | "id"
  | "organization_id"
  | "source_kind"
  | "test_circle_id"
  | "test_circle_name"
  | "surroundings"
  | "trigger"
  | "state"
  | "verdict"
  | "queued_at"
  | "started_at"
  | "finished_at"
  | "series_size"
>;

/** Reports runs in the transaction that ended them. */
export type PublishFinished = (transaction: InTransaction, runs: FinishedRun[]) => Promise<void>;

/** For `returning` of an update of runs named `run`; `unfinished` filters those that are still running. */
export const finishedColumns = sql.raw(
  [
    "id",
    "organization_id",
    "source_kind",
    "test_circle_id",
    "test_circle_name",
    "surroundings",
    "trigger",
    "state",
    "verdict",
    "queued_at",
    "started_at",
    "finished_at",
    "series_size",
    "unfinished",
  ]
    .map((column) => `run.${column}`)
    .join(", "),
);
