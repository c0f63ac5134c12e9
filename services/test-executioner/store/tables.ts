import { type Generated, type Kysely, sql } from "kysely";
import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { ExecutionState, RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { DeliveryTables } from "../../kit/events/delivery-table.ts";
import type { CountTables } from "./count-tables.ts";
import type { OccurrenceTables } from "./occurrence-tables.ts";

export const schemaName = "test_executioner";

/** What an execution has from its start to its rest. */
interface ExecutionColumns {
  /** UUIDv7, made with the run: its order is the order of starting. */
  id: string;
  organization_id: string;
  run_id: string;
  /** Within the run, from 1: set-up first, tear-down last. */
  position: number;
  phase: CirclePhase;
  test_id: string;
  test_version: number;
  test_name: string;
  api_id: string;
  method: string;
  path: string;
  /** Row of the test's data, from 0; null without data. */
  row_index: number | null;
  trigger: RunTrigger;
  queued_at: Date;
  started_at: Date | null;
}

export interface ExecutionTables extends CountTables, DeliveryTables, OccurrenceTables {
  runs: {
    id: string;
    organization_id: string;
    source_kind: RunSource["kind"];
    /** Of a run of one test. */
    test_id: string | null;
    test_name: string | null;
    /** Of a run whose tests all belong to one API; else `run_apis` names them. */
    api_id: string | null;
    include: "safe" | "all" | null;
    rerun_of: string | null;
    /** Of the first member of the repeated run that runs again. */
    rerun_from: number | null;
    /** Of a circle's run, and of what repeats one. */
    test_circle_id: string | null;
    test_circle_name: string | null;
    trigger: RunTrigger;
    /** Null of what was started before starters were kept; their names are as they were then. */
    starter_kind: RunStarter["kind"] | null;
    /** Of the user or of the schedule. */
    starter_id: string | null;
    starter_name: string | null;
    /** Name of the API token a user's program started it with. */
    starter_token: string | null;
    execution_order: RunOrder;
    /** How many members of a parallel circle run at once; null of all other runs. */
    concurrency: number | null;
    stop_on_failure: boolean;
    /** JSON with its schema version; read by `parseSurroundings`. */
    surroundings: string;
    state: ExecutionState;
    /** Somebody cancelled it while it went on. */
    is_cancelled: boolean;
    verdict: Verdict | null;
    /** Of the failure that stands first. */
    reason: string | null;
    reason_position: number | null;
    tests: number;
    executions: number;
    unfinished: number;
    cancelled: number;
    passed: number;
    failed: number;
    errored: number;
    flaky: number;
    skipped: number;
    blocked: number;
    left_out: number;
    queued_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
  /** The APIs of runs over several. */
  run_apis: {
    run_id: string;
    organization_id: string;
    api_id: string;
  };
  /** What members of sequential runs captured. */
  run_captures: {
    run_id: string;
    name: string;
    organization_id: string;
    /** Of the member that captured it last. */
    position: number;
    is_secret: boolean;
    /** Sealed where it is secret. */
    value: string;
  };
  /** A test as it was when it was run; shared by all executions of that version. */
  test_snapshots: {
    test_id: string;
    version: number;
    organization_id: string;
    api_id: string;
    test: string;
  };
  /** What waits and what runs: the work items themselves. */
  unfinished_executions: ExecutionColumns & {
    state: "queued" | "running";
    /** False while it is not its turn: in a sequential run, or in a circle's. */
    is_released: boolean;
    /** When its turn came; null of what had it with its run's start. */
    waiting_since: Generated<Date | null>;
    /** Whether it was counted against the plan when its run started. */
    reserves: Generated<boolean>;
    /** Counts up with every worker that takes or gives back the execution; a result is written only with the newest. */
    fencing_token: number;
    /** How often a worker took it and did not give it back. */
    claims: number;
    /** A running one beyond this moment has lost its worker. */
    leased_until: Date | null;
  };
  /** What has ended. Partitioned by month; nothing is ever updated. */
  executions: ExecutionColumns & {
    state: "finished" | "cancelled";
    verdict: Verdict | null;
    cause: string | null;
    reason: string | null;
    /** Of what failed: the host that was asked, and the credential that did not open it. */
    host: string | null;
    credential_id: string | null;
    attempt_count: number;
    status_code: number | null;
    response_milliseconds: number | null;
    finished_at: Date;
  };
  /** Apart from the rows that lists read, and deleted before them. JSON; read by `parseAttempts` and `parseVerifications`. */
  execution_details: {
    execution_id: string;
    organization_id: string;
    schema_version: number;
    attempts: string;
    verifications: string;
  };
  /** One row a test: its last run, with the worst of its executions where the test has rows. */
  latest_executions: {
    organization_id: string;
    test_id: string;
    api_id: string;
    run_id: string;
    execution_id: string;
    state: ExecutionState;
    verdict: Verdict | null;
    status_code: number | null;
    response_milliseconds: number | null;
    queued_at: Date;
    finished_at: Date | null;
    /** Executions of the run that have not ended. */
    pending: number;
    /** When it began to fail or err; null since it passed. A run that was cancelled or skipped it says nothing. */
    failing_since: Date | null;
    /** No longer run with the others: whatever it ended with, it does not fail now. */
    disabled: boolean;
  };
  /** Ids of tests and of APIs. */
  deleted_tests: {
    organization_id: string;
    subject_id: string;
    deleted_at: Date;
    /** When somebody should delete what is left of it; null where nothing is. */
    due_at: Date | null;
  };
  schedule_fences: {
    schedule_id: string;
    void_below: number;
    raised_at: Date;
  };
  idempotency_keys: {
    organization_id: string;
    key: string;
    /** Hash of what was asked for. */
    target: string;
    run_id: string;
    created_at: Date;
  };
}

export type ExecutionDatabase = Kysely<ExecutionTables>;
export type RunRow = ExecutionTables["runs"];
export type UnfinishedRow = ExecutionTables["unfinished_executions"];

/** An execution wherever it is; what only the other table has is empty. */
export type ExecutionRow = ExecutionColumns & {
  state: ExecutionState;
  verdict: Verdict | null;
  cause: string | null;
  reason: string | null;
  attempt_count: number;
  status_code: number | null;
  response_milliseconds: number | null;
  finished_at: Date | null;
};

/** For statements written by hand, which do not resolve to the service's schema by themselves. */
export const table = (name: keyof ExecutionTables) => sql.raw(`${schemaName}.${name}`);
