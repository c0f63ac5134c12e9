import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import type { WebhookRejection } from "../payment/provider.ts";
import { keepRefused } from "../store/deliveries.ts";
import type { PortalDatabase } from "../store/tables.ts";

/** Maximum writes of refused deliveries per minute: further ones are summed and written with the next. */
const writesOfMinute = 60;

/** Records refused deliveries, so that a flood costs the database at most one statement per second. */
export function createRefusedDeliveries({ db, clock }: { db: PortalDatabase; clock: Clock }) {
  const counts = new Map<WebhookRejection, number>();
  let minute = 0;
  let writes = 0;
  return {
    /** @param eventType as received: unverified content, stored only when it looks like a type of the provider */
    async note(error: WebhookRejection, eventType = ""): Promise<void> {
      counts.set(error, (counts.get(error) ?? 0) + 1);
      const now = clock.now();
      const current = Math.floor(now.getTime() / 60_000);
      if (current !== minute) [minute, writes] = [current, 0];
      if (writes >= writesOfMinute) return;
      writes += 1;
      const taken = new Map(counts);
      counts.clear();
      const looksRight = /^[A-Z]+(\.[A-Z-]+){1,4}$/.test(eventType) && eventType.length <= 60;
      await db.transaction().execute((transaction) =>
        keepRefused(transaction, {
          id: uuidv7(),
          eventType: looksRight ? eventType : "",
          fault: error,
          at: now,
          counts: taken,
        }),
      );
    },
  };
}
