import type { OccurrenceState } from "#contracts/test-executioner/occurrences.ts";

export interface OccurrenceTables {
  /** What became of each time of a schedule. */
  occurrences: {
    /** UUIDv7: its order is the order of recording. */
    id: string;
    organization_id: string;
    schedule_id: string;
    /** As it was then; null where it had none. */
    schedule_name: string | null;
    /** Of the schedule, when it was read. */
    schedule_version: number;
    test_circle_id: string;
    scheduled_for: Date;
    state: OccurrenceState;
    is_late: boolean;
    reason: string | null;
    /** More than one where it stands for all that were missed before. */
    times: number;
    run_id: string | null;
    recorded_at: Date;
  };
}
