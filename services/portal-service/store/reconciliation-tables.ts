import type { Generated } from "kysely";

/** The results of reconciling all subscriptions with the provider. */
export interface ReconciliationTables {
  /** One at a time is in progress. */
  reconciliations: {
    id: string;
    began_at: Date;
    /** Null for the daily one. */
    begun_by: Generated<string | null>;
    ended_at: Generated<Date | null>;
    /** The last subscription that was compared. */
    after_id: Generated<string | null>;
    /** The lease of the process working on it; null without one. */
    held_until: Generated<Date | null>;
    asked: number;
    differing: number;
    failed: number;
  };
  /** Differences from the provider, and subscriptions that could not be compared. */
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
