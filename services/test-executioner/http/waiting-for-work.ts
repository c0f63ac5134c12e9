/** Wakes calls that wait for work. */
export interface WaitForWork {
  /** Before looking for work, so that what comes in between is noticed. */
  begin(): { wait(milliseconds: number, signal: AbortSignal): Promise<void>; end(): void };
  isStopping(): boolean;
  /** Called when there may be work. */
  wake(): void;
  stop(): void;
}

/** Work that no notification announced, such as after a lease has ended, is found by then. */
const pollMilliseconds = 2_000;

export function createWaitForWork(): WaitForWork {
  const listeners = new Set<() => void>();
  let isStopping = false;
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    begin() {
      let notify = () => {};
      const woken = new Promise<void>((resolve) => {
        notify = resolve;
      });
      listeners.add(notify);
      const end = () => void listeners.delete(notify);
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
      wake();
    },
  };
}
