import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Histogram } from "../domain/response-times.ts";

/** Of an organization, of an API, of a test or of a circle, each under its own id. */
type SubjectCounts = Record<Verdict, number> & {
  organization_id: string;
  subject_id: string;
  response_times: Histogram;
  /** As of an operation. */
  unsteady: number;
  /** How often the API was there when it was asked, and how often not; see domain/availability. */
  available: number;
  unavailable: number;
};

/** What executions add up to, written with their results and read instead of them. */
export interface CountTables {
  /** By hour, which is its start. */
  execution_counts: SubjectCounts & { hour: Date };
  /** By day (UTC): what its hours add up to. The database adds to a day what is added to its hours. */
  day_counts: SubjectCounts & { day: Date };
  /** Counts of an operation by day (UTC). */
  operation_counts: Record<Verdict, number> & {
    organization_id: string;
    day: Date;
    api_id: string;
    /** Made from method and path, which may be longer than an index takes. */
    operation_id: string;
    method: string;
    path: string;
    response_times: Histogram;
    /** Passed only on a later attempt, or with another verdict than the one before. */
    unsteady: number;
  };
  /** What an operation last answered with each status, and how that was judged. */
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
    /** What the statement that wrote this verdict found, and returns. */
    replaced_verdict: Verdict | null;
  };
}
