import type { Logger } from "pino";

/**
 * Ends the process by `stop` when it is told to end, with exit code 0 when that went well. A terminal's Ctrl-C arrives
 * twice under npm (from the terminal and from npm itself): every signal after the first changes nothing.
 */
export function stopOnSignals(stop: () => Promise<void>, log: Logger): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
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
