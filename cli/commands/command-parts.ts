import type { ExitCode } from "../exit-codes.ts";

/** Of an option that is repeatable. */
export const collect = (value: string, before: string[]) => [...before, value];

/** The process ends with the command's exit code. */
export async function end(code: Promise<ExitCode>): Promise<void> {
  process.exitCode = await code;
}
