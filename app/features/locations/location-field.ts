import { z } from "zod";

/** The value of a select's first choice: an empty one could not be distinguished from a form without the select. */
export const notChosen = "default";

/** Null: none is chosen. Undefined: the form had no such field, and the choice stays. */
export const locationField = z
  .string()
  .optional()
  .transform((value) => (value === notChosen ? null : value))
  .pipe(z.uuid("Choose a location").nullable().optional());
