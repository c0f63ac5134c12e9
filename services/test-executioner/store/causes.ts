import { type Cause, cause } from "../contract/attempts.ts";

/** Undefined where nothing is stored. */
export function parseCause(text: string | null): Cause | undefined {
  return text === null ? undefined : cause.parse(JSON.parse(text));
}
