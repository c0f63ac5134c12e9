import { z } from "@hono/zod-openapi";

/** An integer of `things` (plural) within bounds, with one error message that names the quantity and both bounds. */
export function wholeNumber(things: string, least: number, most: number) {
  const error = `Enter a whole number of ${things} from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}
