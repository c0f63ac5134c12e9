import { z } from "zod";
import { activeHours, type RecurrenceInput, weekday } from "#contracts/test-registry/recurrences.ts";
import type { Schedule, ScheduleInput } from "#contracts/test-registry/schedules.ts";
import { acrossFields } from "~/forms/across-fields";

export const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof units;
const unitNames = Object.keys(units) as [Unit, ...Unit[]];

const hours = activeHours.shape;
const text = z.string().optional();

/** The form of a schedule, cron or interval; the fields of the other choice keep their input. */
export const scheduleForm = acrossFields(
  z.object({
    name: z.string().max(300, "At most 300 characters").optional(),
    kind: z.enum(["cron", "interval"]),
    cron: text,
    every: z.number("Enter a number").positive("Enter a number above 0").optional(),
    unit: z.enum(unitNames).default("minutes"),
    timeZone: z.string("Choose a time zone"),
    onlyWithin: z.boolean().default(false),
    from: text,
    to: text,
    days: z.array(weekday).default([]),
    spread: z.boolean().default(false),
    overlap: z.enum(["skip", "queue"]).default("skip"),
    catchUp: z.enum(["latest", "none"]).default("latest"),
    enabled: z.boolean().default(false),
  }),
  (form, error) => {
    if (form.kind === "cron" && !form.cron?.trim()) error("cron", "Enter a cron expression, e.g. 0 7 * * 1-5");
    if (form.kind === "interval" && form.every === undefined) error("every", "Enter how often");
    if (!form.onlyWithin) return;
    for (const [path, shape] of [
      ["from", hours.from],
      ["to", hours.to],
    ] as const) {
      const checked = shape.safeParse(form[path]);
      if (!checked.success) error(path, checked.error.issues[0]!.message);
    }
    if (form.days.length === 0) error("days", "Choose at least one day");
  },
);
export type ScheduleFormValue = z.output<typeof scheduleForm>;

/** The times of a schedule, in the format of the preview call. */
export function toRecurrence(form: ScheduleFormValue): RecurrenceInput {
  const { kind, cron, every, unit, timeZone, onlyWithin, from, to, days, spread } = form;
  return {
    ...(kind === "cron" ? { cron: cron?.trim() } : { everySeconds: Math.round(every! * units[unit]) }),
    ...{ timeZone, spread },
    activeHours: onlyWithin ? { from: from!, to: to!, days } : undefined,
  };
}

export function toInput(form: ScheduleFormValue): ScheduleInput {
  const { name, overlap, catchUp, enabled } = form;
  return { ...toRecurrence(form), name: name?.trim() || undefined, overlap, catchUp, enabled };
}

/** The form's values; every field is text, as in HTML. */
export function toForm(schedule: Partial<Schedule> & Pick<Schedule, "timeZone">) {
  const {
    cron,
    everySeconds,
    activeHours: within,
    spread,
    overlap = "skip",
    catchUp = "latest",
    enabled = true,
  } = schedule;
  const unit = everySeconds ? largestUnit(everySeconds) : "minutes";
  const ticked = (is: boolean | undefined) => (is ? "on" : undefined);
  return {
    name: schedule.name ?? "",
    kind: everySeconds ? "interval" : "cron",
    cron: cron ?? (everySeconds ? "" : "0 7 * * 1-5"),
    every: everySeconds ? String(everySeconds / units[unit]) : "15",
    unit: unit as string,
    timeZone: schedule.timeZone,
    onlyWithin: ticked(Boolean(within)),
    from: within?.from ?? "08:00",
    to: within?.to ?? "18:00",
    days: [...(within?.days ?? weekday.options.slice(0, 5))] as string[],
    spread: ticked(spread),
    overlap: overlap as string,
    catchUp: catchUp as string,
    enabled: ticked(enabled),
  };
}

function largestUnit(seconds: number): Unit {
  return unitNames.findLast((unit) => seconds % units[unit] === 0) ?? "seconds";
}

/** Maps the service's paths to the form's fields. */
export function toField(path: string): string {
  const [first, second] = path.split(".");
  if (first === "everySeconds") return "every";
  if (first === "activeHours") return second?.replace(/\[.*/, "") ?? "from";
  return path;
}
