import { z } from "zod";
import { instantsOf } from "../../../../services/kit/time-zone/wall-clock.ts";
import { markInput } from "../../../../services/test-analyzer/contract/marks.ts";

export const markForm = z.object({
  name: markInput.shape.name,
  /** As a browser writes what is entered into `datetime-local`. */
  at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, "Enter a date and a time")
    .optional(),
  url: markInput.shape.url,
});

/** When the clocks of the zone show it first; right after, where they skip it. */
export function momentOf(local: string, timeZone: string): string {
  const { shown, afterGap } = instantsOf(timeZone, Date.parse(`${local}Z`));
  return new Date(shown[0] ?? afterGap!).toISOString();
}
