export interface MonthCountTables {
  /** How many subscriptions began and ended, of all organizations. Written by triggers, with whatever changes one. */
  monthly_subscriptions: {
    /** As in `2026-04`, in UTC. */
    month: string;
    /** Of what they cost. */
    currency: string;
    began: number;
    ended: number;
  };
}
