import { zones } from "~/features/time-zone/zones";
import type { AuthSession } from "~/session/stored-session";
import { browsersTimeZone } from "~/session/time-zone";

/** The available zones and the selected one: none selects the browser's zone. */
export function zoneChoice(request: Request, { timeZone = "" }: Pick<AuthSession, "timeZone">) {
  return {
    chosen: timeZone,
    browsers: browsersTimeZone(request),
    // Browsers know some zones by an older name than the list, and so may zones set through the API.
    names: !timeZone || zones.includes(timeZone) ? zones : [timeZone, ...zones],
  };
}
export type ZoneChoice = ReturnType<typeof zoneChoice>;
