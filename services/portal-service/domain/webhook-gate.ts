/** The maximum number of webhooks verified at once: each costs a call to the provider, whoever sent it. */
export interface GateLimits {
  perMinute: number;
  /** A share of `perMinute`, so that one sender leaves capacity for the provider's own deliveries. */
  perMinuteOfAddress: number;
  /** The maximum number waiting. */
  atOnce: number;
}

export const webhookLimits: GateLimits = { perMinute: 600, perMinuteOfAddress: 300, atOnce: 8 };

export type Entrance = { admitted: true; leave(): void } | { admitted: false; retryAfterSeconds: number };

const minute = 60_000;

/**
 * Limits the calls to the provider that third parties can cause. At times this refuses the provider itself: it
 * retries for three days, and its events are listed meanwhile. Counts restart each minute, so at most one minute's
 * addresses are stored.
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
