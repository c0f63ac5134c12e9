/** The process ended during a request or a pause; the test runs again later, or never. */
export class Interrupted extends Error {}

/** The run was cancelled while its test waited. */
export class CancelledWait extends Interrupted {}

/** @throws Interrupted once the signal aborts: its reason, if that is one */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Interrupted ? signal.reason : new Interrupted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", interrupt);
      resolve();
    }, milliseconds);
    if (signal.aborted) interrupt();
    else signal.addEventListener("abort", interrupt, { once: true });
  });
}
