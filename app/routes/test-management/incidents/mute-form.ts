import { z } from "zod";
import { isTimeZone } from "#libraries/time-zone/wall-clock.ts";
import { localMoment } from "~/features/time-zone/local-moment";

const noZone = "Choose a time zone, e.g. Europe/Berlin";

export const muteForm = z.object({
  until: localMoment,
  timeZone: z.string(noZone).refine(isTimeZone, noZone),
});
