import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Histogram } from "../domain/response-times.ts";

/** For an organization, an API, a test or a circle, each under its own id. */
type SubjectCounts = Record<Verdict, number> & {
  organization_id: string;
  subject_id: string;
  response_times: Histogram;
  /** Same as of an operation. */
  unsteady: number;
  /** How often the API was available when requested, and how often not; see domain/availability. */
  available: number;
  unavailable: number;
};

/** Sums of executions, written with their results and read instead of them. */
export interface CountTables {
  /** By hour (its start). */
  execution_counts: SubjectCounts & { hour: Date };
  /** By day (UTC): the sum of its hours. The database adds to a day whatever is added to its hours. */
  day_counts: SubjectCounts & { day: Date };
  /** Counts of an operation by day (UTC). */
  operation_counts: Record<Verdict, number> & {
    organization_id: string;
    day: Date;
    api_id: string;
    /** Derived from method and path, which may be longer than an index allows. */
    operation_id: string;
    method: string;
    path: string;
    response_times: Histogram;
    /** Passed only on a later attempt, or changed back without a change of configuration. */
    unsteady: number;
  };
  /** An operation's last response with each status, and its verdict. */
  operation_verdicts: {
    organization_id: string;
    api_id: string;
    operation_id: string;
    status_code: number;
    verdict: Verdict;
    execution_id: string;
    test_id: string;
    finished_at: Date;
  };
  /** The last verdict of a test. */
  last_verdicts: {
    organization_id: string;
    test_id: string;
    /** Row of the test's data, from 1; 0 without data. */
    data_row: number;
    verdict: Verdict;
    /** Written by earlier versions only. */
    replaced_verdict: Verdict | null;
    /** Of the last execution; null after a version without this column. */
    configuration: string | null;
    /** With this configuration, since it last changed. */
    has_passed: boolean | null;
    has_failed: boolean | null;
    /** Repetitions on this day that did not count against the plan. */
    free_day: Date | null;
    free_repetitions: number;
  };
}
