import { z } from "@hono/zod-openapi";

/** A whole number of `things` (plural) within its bounds. One sentence says all of it, and which number is meant. */
export function wholeNumber(things: string, least: number, most: number) {
  const error = `Enter a whole number of ${things} from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}
