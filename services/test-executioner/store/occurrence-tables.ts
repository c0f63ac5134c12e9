import type { OccurrenceState } from "#contracts/test-executioner/occurrences.ts";

export interface OccurrenceTables {
  /** The outcome of each due time of a schedule. */
  occurrences: {
    /** UUIDv7: sorts by time of recording. */
    id: string;
    organization_id: string;
    schedule_id: string;
    /** At that time; null if it had none. */
    schedule_name: string | null;
    /** The schedule's version when it was read. */
    schedule_version: number;
    test_circle_id: string;
    scheduled_for: Date;
    state: OccurrenceState;
    is_late: boolean;
    reason: string | null;
    /** More than one if it represents all times that were missed before. */
    times: number;
    run_id: string | null;
    recorded_at: Date;
  };
}
