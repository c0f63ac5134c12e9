/** How many webhooks are verified at most: each asks the provider, whoever sent it. */
export interface GateLimits {
  perMinute: number;
  /** A part of `perMinute`, so that one stranger leaves room for the provider's own. */
  perMinuteOfAddress: number;
  /** More than that wait for one of them. */
  atOnce: number;
}

export const webhookLimits: GateLimits = { perMinute: 600, perMinuteOfAddress: 300, atOnce: 8 };

export type Entrance = { admitted: true; leave(): void } | { admitted: false; retryAfterSeconds: number };

const minute = 60_000;

/**
 * Bounds what strangers can make us ask. Whoever is turned away is the provider, too, at times: it tries again for three
 * days, and what it told is looked up meanwhile. Counts begin anew each minute, so no more addresses are known than come
 * in one.
 */
export function createWebhookGate(limits: GateLimits) {
  let began = 0;
  let total = 0;
  let atOnce = 0;
  const waiting: (() => void)[] = [];
  const byAddress = new Map<string, number>();
  return {
    async enter(address: string, now: Date): Promise<Entrance> {
      const current = Math.floor(now.getTime() / minute);
      if (current !== began) {
        began = current;
        total = 0;
        byAddress.clear();
      }
      const own = byAddress.get(address) ?? 0;
      if (total >= limits.perMinute || own >= limits.perMinuteOfAddress)
        return { admitted: false, retryAfterSeconds: Math.ceil((minute - (now.getTime() % minute)) / 1_000) };
      total += 1;
      byAddress.set(address, own + 1);
      if (atOnce < limits.atOnce) atOnce += 1;
      else await new Promise<void>((enter) => waiting.push(enter));
      return {
        admitted: true,
        leave: () => {
          const next = waiting.shift();
          if (next) next();
          else atOnce -= 1;
        },
      };
    },
  };
}
