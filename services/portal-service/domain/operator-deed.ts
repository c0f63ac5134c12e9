import type { OperatorAction } from "#contracts/portal-service/operated-subscriptions.ts";
import type { SubscriptionState } from "./subscription.ts";

type DeedState = "SUSPENDED" | "ACTIVE" | "CANCELLED";

/** In which states each one makes sense, and which it leads to. */
export const deedStates: Record<OperatorAction, { from: readonly SubscriptionState[]; to: DeedState }> = {
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
  /** Whoever asks the provider from then on, and sees another state, knows that it never took place. */
  endsAt: Date;
}

/** No call to the provider takes that long. */
export const longestDeedMilliseconds = 60_000;

const words: Record<DeedState, string> = { SUSPENDED: "Suspended", ACTIVE: "Resumed", CANCELLED: "Cancelled" };

/** For the history its subscriber reads. */
export const deedText = ({ state, because }: Pick<OpenDeed, "state" | "because">): string =>
  `${words[state]} by the portal's operator: ${because}`;
