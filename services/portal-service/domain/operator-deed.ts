import type { OperatorDeed } from "../contract/operated-subscriptions.ts";
import type { SubscriptionState } from "./subscription.ts";

type DeedState = "SUSPENDED" | "ACTIVE" | "CANCELLED";

/** In which states each one makes sense, and which it leads to. */
export const deedStates: Record<OperatorDeed, { from: readonly SubscriptionState[]; to: DeedState }> = {
  suspend: { from: ["ACTIVE"], to: "SUSPENDED" },
  activate: { from: ["SUSPENDED"], to: "ACTIVE" },
  cancel: { from: ["ACTIVE", "SUSPENDED"], to: "CANCELLED" },
};

/** One that is under way at the provider, or that nobody knows the end of. */
export interface OpenDeed {
  /** The state that it leads to. */
  state: DeedState;
  because: string;
  userId: string;
  at: Date;
}

/** No call to the provider takes that long, with its repetitions. */
const mostMilliseconds = 60_000;

/** From then on an answer that shows another state says that it never took place. */
export const deedEnds = ({ at }: Pick<OpenDeed, "at">): Date => new Date(at.getTime() + mostMilliseconds);

const words: Record<DeedState, string> = { SUSPENDED: "Suspended", ACTIVE: "Resumed", CANCELLED: "Cancelled" };

/** For the history its subscriber reads. */
export const deedText = ({ state, because }: Pick<OpenDeed, "state" | "because">): string =>
  `${words[state]} by the portal's operator: ${because}`;
