import type { ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { QuietHours, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import { quietUntil } from "../incident/quiet-hours.ts";

/** An incident to report to a channel. */
export interface DueNotification {
  incidentId: string;
  channelId: string;
  /** Not before this time; undefined to report immediately. */
  until: Date | undefined;
}

/**
 * The time until which an alert is deferred; undefined when it is sent immediately. Critical alerts ignore quiet hours.
 */
export function getDeferredUntil(
  of: { severity: Severity; quietHours: QuietHours | null; mutedUntil: Date | null },
  now: Date,
): Date | undefined {
  const quiet = of.quietHours && of.severity !== "critical" ? quietUntil(of.quietHours, now) : undefined;
  const muted = of.mutedUntil && of.mutedUntil > now ? of.mutedUntil : undefined;
  return quiet && muted && muted > quiet ? muted : (quiet ?? muted);
}

/** Whether a channel's messages are about one incident each, because its receiver closes them one by one. */
export function isOneByOne({ kind, settings }: { kind: ChannelKind; settings: { template?: unknown } }): boolean {
  return kind === "pagerDuty" || settings.template !== undefined;
}

/** Everything for one channel at one time becomes one message, or one message each. */
export function bundle<Item extends DueNotification>(items: readonly Item[], oneByOne = false): [Item, ...Item[]][] {
  if (oneByOne) return items.map((item) => [item]);
  const bundles = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = `${item.channelId} ${item.until?.getTime() ?? ""}`;
    const known = bundles.get(key);
    if (known) known.push(item);
    else bundles.set(key, [item]);
  }
  return [...bundles.values()];
}
