import type { RecordChange } from "../../kit/audit/audit.ts";

/** Why a subscription is as it is now, for its history. */
export interface Cause {
  /** Instead of "Cancelled.", of what was given up before it was approved. */
  text?: string;
  userId?: string;
  /** Looks at its payments, too, also where nothing says that there are others: refunds show nowhere else. */
  withPayments?: boolean;
  /** Records the change in the transaction that makes it; the history tells of those that nobody asked for. */
  record?: RecordChange;
}
