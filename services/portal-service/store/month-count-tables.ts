export interface MonthCountTables {
  /**
   * Numbers of subscriptions that began and ended, over all organizations. Written by triggers on every change of
   * one.
   */
  monthly_subscriptions: {
    /** e.g. `2026-04`, in UTC. */
    month: string;
    /** By price. */
    currency: string;
    began: number;
    ended: number;
  };
}
