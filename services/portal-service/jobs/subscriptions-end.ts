import type { Clock } from "../../kit/clock/clock.ts";
import type { PortalDatabase } from "../store/tables.ts";

/**
 * Ends a deleted organization's subscriptions. They are retained until the provider has nothing more to collect:
 * active ones are cancelled there; one waiting for approval is abandoned, and cancelled if its buyer still approves
 * it, as long as that is possible.
 * @param sells whether a provider is configured
 * @returns the tables whose rows have to wait
 */
export function createEndSubscriptions({ db, clock, sells }: { db: PortalDatabase; clock: Clock; sells: boolean }) {
  return async (organizationId: string): Promise<readonly string[]> => {
    if (!sells) return [];
    const now = clock.now();
    await db
      .updateTable("subscriptions")
      .set({ state: "CANCELLED", state_changed_at: now, superseded: true, approve_url: null, ask_at: now })
      .where("organization_id", "=", organizationId)
      .where("state", "=", "PENDING_APPROVAL")
      .execute();
    await db
      .updateTable("subscriptions")
      .set({ cancel_asked_at: now, ask_at: now })
      .where("organization_id", "=", organizationId)
      .where("state", "in", ["ACTIVE", "SUSPENDED"])
      .where("cancel_asked_at", "is", null)
      .execute();
    const waiting = await db
      .selectFrom("subscriptions")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("ask_at", "is not", null)
      .limit(1)
      .execute();
    return waiting.length > 0 ? ["subscriptions"] : [];
  };
}
