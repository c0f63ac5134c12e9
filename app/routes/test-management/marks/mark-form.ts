import { z } from "zod";
import { markInput } from "#contracts/test-analyzer/marks.ts";
import { findMomentError } from "~/features/time-zone/local-moment";
import { acrossFields } from "~/forms/across-fields";

/** @param timeZone time zone of the typed time */
export const markForm = (timeZone: string) =>
  acrossFields(
    z.object({ name: markInput.shape.name, at: z.string().optional(), url: markInput.shape.url }),
    ({ at }, error) => {
      const wrong = at && findMomentError(at, timeZone);
      if (wrong) error("at", wrong);
    },
  );
