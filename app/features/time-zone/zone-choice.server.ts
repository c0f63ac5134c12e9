import { zones } from "~/features/time-zone/zones";
import type { AuthSession } from "~/session/stored-session";
import { browsersTimeZone } from "~/session/time-zone";

/** What the viewer's zone is chosen from, and what is chosen: nothing means as the browser says. */
export function zoneChoice(request: Request, { timeZone = "" }: Pick<AuthSession, "timeZone">) {
  return {
    chosen: timeZone,
    browsers: browsersTimeZone(request),
    // Browsers know some zones by an older name than the list, and so may what was chosen by the API.
    names: !timeZone || zones.includes(timeZone) ? zones : [timeZone, ...zones],
  };
}
export type ZoneChoice = ReturnType<typeof zoneChoice>;
