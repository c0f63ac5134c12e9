import type { Generated } from "kysely";

/** What comparing all subscriptions with the provider's leaves behind. */
export interface ReconciliationTables {
  /** One at a time is under way. */
  reconciliations: {
    id: string;
    began_at: Date;
    /** Null for the daily one. */
    begun_by: Generated<string | null>;
    ended_at: Generated<Date | null>;
    /** The last subscription that was compared. */
    after_id: Generated<string | null>;
    /** Until when a process works at it, or nobody does. */
    held_until: Generated<Date | null>;
    asked: number;
    differing: number;
    failed: number;
  };
  /** What was otherwise at the provider, or could not be compared. */
  reconciled_differences: {
    reconciliation_id: string;
    subscription_id: string;
    organization_id: string;
    at: Date;
    /** JSON of `Difference[]`. */
    differences: unknown;
    failure: string | null;
  };
}
