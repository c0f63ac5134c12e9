import type { Logger } from "pino";

export interface StopOptions {
  /** Settles as long as the database responds at all. */
  ask(): Promise<unknown>;
  log: Logger;
  /** A stop is abandoned when the database has not responded for this long. Default 7 s. */
  patienceMilliseconds?: number;
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
      giveUpInSilence(options);
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

function giveUpInSilence({ ask, log, patienceMilliseconds = 7_000 }: StopOptions): void {
  let isAsked = false;
  let heardAt = performance.now();
  setInterval(() => {
    if (performance.now() - heardAt > patienceMilliseconds) {
      log.fatal("stopping failed: the database does not answer");
      process.exit(1);
    }
    if (isAsked) return;
    isAsked = true;
    const heard = () => {
      isAsked = false;
      heardAt = performance.now();
    };
    ask().then(heard, heard);
  }, 250).unref();
}
