import type { Logger } from "pino";

export interface StopOptions {
  /** Settles as long as the database responds at all. */
  ping(): Promise<unknown>;
  log: Logger;
  /** A stop is abandoned when the database has not responded for this long. Default 7 s. */
  timeoutMilliseconds?: number;
}

/**
 * Ends the process by `stop` on a signal, with exit code 0 on success. A terminal's Ctrl-C arrives twice under npm
 * (from the terminal and from npm itself): every signal after the first is ignored. Pending work is awaited only as
 * long as the database responds, since it can't complete without it.
 */
export function stopOnSignals(stop: () => Promise<void>, options: StopOptions): void {
  const { log } = options;
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      exitWithoutDatabase(options);
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, "stopping failed");
          process.exit(1);
        },
      );
    });
  }
}

function exitWithoutDatabase({ ping, log, timeoutMilliseconds = 7_000 }: StopOptions): void {
  let isPending = false;
  let respondedAt = performance.now();
  setInterval(() => {
    if (performance.now() - respondedAt > timeoutMilliseconds) {
      log.fatal("stopping failed: the database does not respond");
      process.exit(1);
    }
    if (isPending) return;
    isPending = true;
    const noteResponse = () => {
      isPending = false;
      respondedAt = performance.now();
    };
    ping().then(noteResponse, noteResponse);
  }, 250).unref();
}
