import { wallAt } from "#libraries/time-zone/wall-clock.ts";
import { toMoment } from "~/features/time-zone/local-moment";

const hour = 3_600_000;

/** The end times offered for muting an incident with one press. */
export const muteChoices = {
  "1h": { label: "For 1 hour", until: (now: Date) => new Date(now.getTime() + hour).toISOString() },
  "4h": { label: "For 4 hours", until: (now: Date) => new Date(now.getTime() + 4 * hour).toISOString() },
  tomorrow: {
    label: "Until tomorrow 09:00",
    until: (now: Date, timeZone: string) => toMoment(tomorrowMorning(now, timeZone), timeZone),
  },
} as const;

export type MuteChoice = keyof typeof muteChoices;

export const isMuteChoice = (text: unknown): text is MuteChoice => Object.hasOwn(muteChoices, String(text));

/** For example `2026-03-11T09:00`, by the clocks of the zone. */
export function tomorrowMorning(now: Date, timeZone: string): string {
  const tomorrow = new Date(wallAt(timeZone, now.getTime()) + 24 * hour);
  return `${tomorrow.toISOString().slice(0, 10)}T09:00`;
}
