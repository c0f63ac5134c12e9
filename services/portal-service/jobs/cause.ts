import type { RecordChange } from "../../kit/audit/audit.ts";

/** The reason for a subscription's state, for its history. */
export interface Cause {
  /** Instead of "Cancelled.", for a subscription abandoned before approval. */
  text?: string;
  userId?: string;
  /** Also reads its payments when nothing indicates new ones: refunds appear nowhere else. */
  withPayments?: boolean;
  /** Records the change in its transaction; the history also has changes without an actor. */
  record?: RecordChange;
}
