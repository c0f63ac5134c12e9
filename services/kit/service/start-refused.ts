import { readableStack } from "../log/readable-stack.ts";

/** A start that its operator can mend: shown as the sentence it is, without a stack. */
export class StartRefused extends Error {
  override readonly name: string = "StartRefused";
}

/** Says at the terminal why the process does not start, and ends it. */
export function refuseStart(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `${error instanceof StartRefused ? text : error instanceof Error ? readableStack(error.stack ?? text) : text}\n`,
  );
  process.exit(1);
}
