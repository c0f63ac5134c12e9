import { z } from "zod";
import { localMoment } from "~/time-zone/local-moment";
import { isTimeZone } from "../../../../services/kit/time-zone/wall-clock.ts";

const noZone = "Choose a time zone, as in Europe/Berlin";

export const muteForm = z.object({
  until: localMoment,
  timeZone: z.string(noZone).refine(isTimeZone, noZone),
});
