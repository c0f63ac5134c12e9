import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import type { NoticesState } from "#contracts/test-executioner/notices.ts";
import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { RunOrder, RunSource } from "#contracts/test-executioner/runs.ts";
import type { ExecutionState, ExecutionVerdict, RunTrigger, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { DeliveryTables } from "../../kit/events/delivery-table.ts";
import type { CountTables } from "./count-tables.ts";
import type { DatedDetailsTables, DetailColumns } from "./dated-details-tables.ts";
import type { ExplorationTables } from "./exploration-tables.ts";
import type { LocationTables } from "./location-tables.ts";
import type { OccurrenceTables } from "./occurrence-tables.ts";

export const schemaName = "test_executioner";

/** Columns of an execution from its start to its deletion. */
interface ExecutionColumns {
  /** UUIDv7, created with the run: sorts by start. */
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
  row_name: string | null;
  /** Where agents run it; null: the portal's own workers do. */
  location_id: string | null;
  trigger: RunTrigger;
  queued_at: Date;
  started_at: Date | null;
}

interface LookedAtRuns {
  organization_id: string;
  run_id: string;
  /** Before `run_id`. */
  unfinished: string[];
  /** Only the newest claim may continue. */
  claims: number;
  /** Until then a process is looking. */
  due_at: Date;
}

export interface ExecutionTables
  extends CountTables,
    DatedDetailsTables,
    DeliveryTables,
    ExplorationTables,
    LocationTables,
    OccurrenceTables {
  runs: {
    id: string;
    organization_id: string;
    source_kind: RunSource["kind"];
    /** For a run of one test. */
    test_id: string | null;
    test_name: string | null;
    /** For a run whose tests all belong to one API; otherwise `run_apis` lists them. */
    api_id: string | null;
    include: "safe" | "all" | null;
    rerun_of: string | null;
    /** First member of the repeated run that runs again. */
    rerun_from: number | null;
    /** For a run of a circle, or a repetition of one. */
    test_circle_id: string | null;
    test_circle_name: string | null;
    trigger: RunTrigger;
    /** Null for runs older than this column. Names are those at the start. */
    starter_kind: RunStarter["kind"] | null;
    /** Of the user or schedule. */
    starter_id: string | null;
    starter_name: string | null;
    /** Name of the API token that a user's program used. */
    starter_token: string | null;
    execution_order: RunOrder;
    /** How many members of a parallel circle run at once; null for all other runs. */
    concurrency: number | null;
    stop_on_failure: boolean;
    /** JSON with its schema version; read by `parseSurroundings`. */
    surroundings: string;
    state: ExecutionState;
    /** Cancelled by a user while it was running. */
    is_cancelled: boolean;
    verdict: Verdict | null;
    /** Of the first failure. */
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
    /** Executions that failed from a place while their test does not fail by the circle's rule; of an ended run. */
    regional: Generated<number>;
    /** Their tests. */
    regional_test_ids: Generated<string[] | null>;
    /** Of an ended run from several places: members that passed and that did not, by the rule of its circle. */
    judged_passed: Generated<number | null>;
    judged_not_passed: Generated<number | null>;
    /** Members that each of several places has, one place after the other; null: there is one place. */
    series_size: Generated<number | null>;
    left_out: number;
    /** The agent that started it at its due time, while the portal was away. */
    late_agent_id: Generated<string | null>;
    queued_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
  /** The APIs of runs across several. */
  run_apis: {
    run_id: string;
    organization_id: string;
    api_id: string;
  };
  /** What members of sequential runs captured. */
  run_captures: {
    run_id: string;
    /** Of several places, from 0. */
    series: number;
    name: string;
    organization_id: string;
    /** Of the last member that captured it. */
    position: number;
    is_secret: boolean;
    /** Sealed if secret. */
    value: string;
    /** Of `value`; null for text that has no JSON type, and in rows of earlier versions. */
    type: "string" | "json" | null;
    /** Origin where the run made what it identifies; null if it made nothing. */
    made_at: string | null;
  };
  /** A test as of its execution; shared by all executions of that version. */
  test_snapshots: {
    test_id: string;
    version: number;
    organization_id: string;
    api_id: string;
    test: string;
  };
  /** Waiting and running executions: the work items themselves. */
  unfinished_executions: ExecutionColumns & {
    state: "queued" | "running";
    /** False until its turn in a sequential run or a circle's run. */
    is_released: boolean;
    /** When its turn came; null if it was released at the start of its run. */
    waiting_since: Generated<Date | null>;
    /** Whether it was counted against the plan when its run started. */
    reserves: Generated<boolean>;
    /**
     * Incremented whenever a worker claims or returns the execution; a result is only written with the newest token.
     */
    fencing_token: number;
    /** How often a worker claimed it without returning it. */
    claims: number;
    /** Of a location: the agent that claimed it last. */
    agent_id: Generated<string | null>;
    /** A running execution past this time has lost its worker. */
    leased_until: Date | null;
  };
  /** Finished executions. Partitioned by month; never updated. */
  executions: ExecutionColumns & {
    state: "finished" | "cancelled";
    verdict: ExecutionVerdict | null;
    cause: string | null;
    reason: string | null;
    /** Of failures: the requested host, and the credential that was rejected. */
    host: string | null;
    credential_id: string | null;
    /** Of a location: the agent that ran it. */
    agent_id: Generated<string | null>;
    attempt_count: number;
    status_code: number | null;
    response_milliseconds: number | null;
    /** Of the last attempt with a response: until the request was sent, connecting included. */
    sending_milliseconds: Generated<number | null>;
    /** From its end until its result was written, without the commit. */
    storing_milliseconds: Generated<number | null>;
    finished_at: Date;
  };
  /**
   * Separate from the rows that lists read, and deleted before them. JSON; read by `parseAttempts` and
   * `parseVerifications`. Of organizations with a known retention, `dated_details` has the newer ones.
   */
  execution_details: DetailColumns;
  /** One row per test: its last run, with the worst of its executions if the test has rows. */
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
    /** Executions of the run that have not finished. */
    pending: number;
    /** Since when it has failed or errored; null once it passes. Cancelled and skipped executions do not change it. */
    failing_since: Date | null;
    /** No longer run with the others: does not count as failing, whatever its last verdict. */
    disabled: boolean;
  };
  /** Ids of tests and of APIs. */
  deleted_tests: {
    organization_id: string;
    subject_id: string;
    deleted_at: Date;
    /** When the rest is due for deletion; null if nothing is left. */
    due_at: Date | null;
  };
  /** Up to which of its runs an organization's responses were looked at for dependencies. */
  looked_at_runs: LookedAtRuns;
  /** The same for what tests notice. */
  noticed_runs: LookedAtRuns;
  /** What a test would notice, as last measured from a passed execution. */
  test_notices: {
    organization_id: string;
    test_id: string;
    api_id: string;
    method: string;
    path: string;
    /** Up to which it was looked at. */
    test_version: number;
    document_id: string;
    execution_id: string;
    /** Earlier responses that it was compared with, to know what varies. */
    compared: number;
    state: Exclude<NoticesState, "never_passed">;
    changes: number;
    noticed: number;
    /** JSON; read by `parseFindings`. */
    findings: string;
    found_at: Date;
  };
  schedule_fences: {
    schedule_id: string;
    void_below: number;
    raised_at: Date;
  };
  idempotency_keys: {
    organization_id: string;
    key: string;
    /** Hash of the request. */
    target: string;
    run_id: string;
    created_at: Date;
  };
}

export type ExecutionDatabase = Kysely<ExecutionTables>;
export type RunRow = Selectable<ExecutionTables["runs"]>;
export type UnfinishedRow = ExecutionTables["unfinished_executions"];

/** An execution in either table; columns that only the other table has are empty. */
export type ExecutionRow = ExecutionColumns & {
  state: ExecutionState;
  verdict: ExecutionVerdict | null;
  cause: string | null;
  reason: string | null;
  /** The agent that runs it, or ran it. */
  agent_id: string | null;
  attempt_count: number;
  status_code: number | null;
  response_milliseconds: number | null;
  sending_milliseconds: number | null;
  storing_milliseconds: number | null;
  finished_at: Date | null;
};

/** For raw SQL, which does not resolve to the service's schema. */
export const table = (name: keyof ExecutionTables) => sql.raw(`${schemaName}.${name}`);
