import { z } from "@hono/zod-openapi";

/** An integer of `things` (plural) within bounds, with one error message that names the quantity and both bounds. */
export function wholeNumber(things: string, min: number, max: number) {
  const error = `Enter a whole number of ${things} from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
