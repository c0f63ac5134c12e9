import type { OperatorAction } from "#contracts/portal-service/operated-subscriptions.ts";
import type { SubscriptionState } from "./subscription.ts";

type ActionState = "SUSPENDED" | "ACTIVE" | "CANCELLED";

/** The states in which each action is allowed, and the state it leads to. */
export const actionStates: Record<OperatorAction, { from: readonly SubscriptionState[]; to: ActionState }> = {
  suspend: { from: ["ACTIVE"], to: "SUSPENDED" },
  activate: { from: ["SUSPENDED"], to: "ACTIVE" },
  cancel: { from: ["ACTIVE", "SUSPENDED"], to: "CANCELLED" },
};

/** An action in progress at the provider, or with an unknown result. */
export interface OpenAction {
  /** The state that it leads to. */
  state: ActionState;
  because: string;
  userId: string;
  /** A provider response with another state after this time shows that the action never took place. */
  endsAt: Date;
}

/** No call to the provider takes this long. */
export const maxActionMilliseconds = 60_000;

const words: Record<ActionState, string> = { SUSPENDED: "Suspended", ACTIVE: "Resumed", CANCELLED: "Cancelled" };

/** For the history that the subscriber reads. */
export const toActionText = ({ state, because }: Pick<OpenAction, "state" | "because">): string =>
  `${words[state]} by the portal's operator: ${because}`;
