import { z } from "zod";
import { fromPortal, runFromField } from "./run-from.tsx";

const chosen = z.union([z.literal(fromPortal), z.uuid()]);

/** What a form chose for its run; empty as set elsewhere. */
export function readRunFrom(form: FormData): { locationId?: string } {
  const { data } = chosen.safeParse(form.get(runFromField));
  return data ? { locationId: data } : {};
}
