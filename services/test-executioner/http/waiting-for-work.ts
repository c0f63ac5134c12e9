import type { Offers } from "../../kit/nats/offers.ts";
import { OfferedLocations } from "./offered-locations.ts";

/** Wakes calls that wait for work. */
export interface WaitForWork {
  /** Before looking for work at a location, so that what comes in between is noticed. */
  begin(locationId: string): { wait(milliseconds: number, signal: AbortSignal): Promise<void>; end(): void };
  isStopping(): boolean;
  /** Called when there may be work. */
  wake(): void;
  stop(): void;
}

/** Work that no notification announced, such as after a lease has ended, is found by then. */
const pollMilliseconds = 2_000;

/** @param offers of work; without them, or while they don't arrive, calls poll */
export function createWaitForWork(offers?: Offers): WaitForWork {
  const offered = offers && new OfferedLocations(offers);
  const listeners = new Set<() => void>();
  let isStopping = false;
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    begin(locationId) {
      let notify = () => {};
      const woken = new Promise<void>((resolve) => {
        notify = resolve;
      });
      listeners.add(notify);
      const endOffers = offered?.listen(locationId, notify);
      const end = () => {
        listeners.delete(notify);
        endOffers?.();
      };
      return {
        end,
        async wait(milliseconds, signal) {
          const timer = setTimeout(notify, Math.min(milliseconds, pollMilliseconds));
          signal.addEventListener("abort", notify, { once: true });
          if (isStopping) notify();
          await woken;
          signal.removeEventListener("abort", notify);
          clearTimeout(timer);
          end();
        },
      };
    },
    isStopping: () => isStopping,
    wake,
    stop() {
      isStopping = true;
      offered?.stop();
      wake();
    },
  };
}
