import type { z } from "@hono/zod-openapi";
import { type Kysely, sql } from "kysely";
import type { ExecutionState, runTrigger, Verdict } from "../contract/executions.ts";
import type { CountTables } from "./count-tables.ts";

export const schemaName = "test_executioner";

export interface ExecutionTables extends CountTables {
  /** What the executions of one call share. */
  runs: {
    id: string;
    organization_id: string;
    api_id: string;
    facts: string;
    created_at: Date;
  };
  /** A test as it was when it was run; shared by all executions of that version. */
  test_snapshots: {
    test_id: string;
    version: number;
    organization_id: string;
    api_id: string;
    test: string;
  };
  executions: {
    id: string;
    organization_id: string;
    run_id: string;
    test_id: string;
    test_version: number;
    test_name: string;
    api_id: string;
    method: string;
    path: string;
    /** Row of the test's data, from 0; null without data. */
    row_index: number | null;
    state: ExecutionState;
    verdict: Verdict | null;
    cause: string | null;
    trigger: z.infer<typeof runTrigger>;
    /** Counts up with every worker that takes the execution; a result is written only with the newest. */
    fencing_token: number;
    attempt_count: number;
    status_code: number | null;
    response_milliseconds: number | null;
    queued_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
  execution_attempts: {
    execution_id: string;
    organization_id: string;
    attempts: string;
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
  };
  idempotency_keys: {
    organization_id: string;
    key: string;
    /** Hash of what was asked for. */
    target: string;
    execution_ids: string[];
    created_at: Date;
  };
}

export type ExecutionDatabase = Kysely<ExecutionTables>;
export type ExecutionRow = ExecutionTables["executions"];

/** For statements written by hand, which do not resolve to the service's schema by themselves. */
export const table = (name: keyof ExecutionTables) => sql.id(schemaName, name);
