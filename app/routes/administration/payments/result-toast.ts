import type { OperatedSubscription } from "#contracts/portal-service/operated-subscriptions.ts";
import { stateNames } from "~/features/subscriptions/state-words";
import { plural } from "~/ui/count/plural";

/** PayPal's response as a toast; the subscription's page lists the differences. */
export function toResultToast({ state, differences }: Pick<OperatedSubscription, "state" | "differences">) {
  const is = `PayPal says: ${stateNames[state].toLowerCase()}.`;
  return differences.length === 0
    ? { message: `${is} Nothing new.`, variant: "info" as const }
    : { message: `${is} ${plural(differences.length, "difference")} to what we knew.`, variant: "warning" as const };
}
