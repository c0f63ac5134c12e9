import type { Logger } from "pino";

export interface StopOptions {
  /** Resolves or rejects as long as the database does anything at all. */
  ask(): Promise<unknown>;
  log: Logger;
  /** A stop is given up when nothing was heard of the database for so long. Default 7 s. */
  patienceMilliseconds?: number;
}

/**
 * Ends the process by `stop` when it is told to end, with exit code 0 when that went well. A terminal's Ctrl-C arrives
 * twice under npm (from the terminal and from npm itself): every signal after the first changes nothing. What is under
 * way is waited for only as long as the database answers: without it nothing of that can end well.
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
