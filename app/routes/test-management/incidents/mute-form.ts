import { z } from "zod";
import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import { findMomentError } from "~/features/time-zone/local-moment";
import { acrossFields } from "~/forms/across-fields";

const noZone = "Choose a time zone, e.g. Europe/Berlin";

export const muteForm = acrossFields(
  z.object({ until: z.string().default(""), timeZone: z.string(noZone).refine(isTimeZone, noZone) }),
  ({ until, timeZone }, error) => {
    const wrong = findMomentError(until ?? "", timeZone ?? "");
    if (wrong) error("until", wrong);
  },
);
