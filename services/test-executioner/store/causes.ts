import { type Cause, cause } from "#contracts/test-executioner/attempts.ts";

/** Undefined if nothing is stored. */
export function parseCause(text: string | null): Cause | undefined {
  return text === null ? undefined : cause.parse(JSON.parse(text));
}
