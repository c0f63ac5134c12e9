import { readableStack } from "../log/readable-stack.ts";

/** A startup error that the operator can fix: displayed as its message, without a stack. */
export class StartRefused extends Error {
  override readonly name: string = "StartRefused";
}

/** Prints to the terminal why the process does not start, and exits. */
export function refuseStart(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `${error instanceof StartRefused ? text : error instanceof Error ? readableStack(error.stack ?? text) : text}\n`,
  );
  process.exit(1);
}
