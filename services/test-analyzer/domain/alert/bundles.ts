import type { QuietHours, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import { quietUntil } from "../incident/quiet-hours.ts";

/** An incident of which a channel is told. */
export interface ToTell {
  incidentId: string;
  channelId: string;
  /** Not before; undefined where it is told at once. */
  until: Date | undefined;
}

/** Until when what is told has to wait; undefined where it need not. What is critical waits for no quiet hours to end. */
export function heldUntil(
  of: { severity: Severity; quietHours: QuietHours | null; mutedUntil: Date | null },
  now: Date,
): Date | undefined {
  const quiet = of.quietHours && of.severity !== "critical" ? quietUntil(of.quietHours, now) : undefined;
  const muted = of.mutedUntil && of.mutedUntil > now ? of.mutedUntil : undefined;
  return quiet && muted && muted > quiet ? muted : (quiet ?? muted);
}

/** What goes to one channel at one time is one message. */
export function bundle<Item extends ToTell>(items: readonly Item[]): [Item, ...Item[]][] {
  const bundles = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = `${item.channelId} ${item.until?.getTime() ?? ""}`;
    const known = bundles.get(key);
    if (known) known.push(item);
    else bundles.set(key, [item]);
  }
  return [...bundles.values()];
}
