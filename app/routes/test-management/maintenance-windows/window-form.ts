import { z } from "zod";
import {
  type MaintenanceWindow,
  type MaintenanceWindowInput,
  maintenanceWindowInput,
} from "#contracts/test-registry/maintenance-windows.ts";
import { findMomentError, readMoment, toTyped } from "~/features/time-zone/local-moment";
import { acrossFields } from "~/forms/across-fields";

export const units = { minutes: 1, hours: 60, days: 1_440 } as const;
type Unit = keyof typeof units;
const unitNames = Object.keys(units) as [Unit, ...Unit[]];

const text = z.string().optional();

/** The form of a maintenance window, once or repeating; the fields of the other choice keep their input. */
export const windowForm = acrossFields(
  z.object({
    name: maintenanceWindowInput.shape.name,
    of: z.enum(["all", "api", "circle"]).default("all"),
    apiId: z.uuid("Choose an API").optional(),
    testCircleId: z.uuid("Choose a circle").optional(),
    kind: z.enum(["once", "repeating"]),
    from: text,
    to: text,
    cron: text,
    lasts: z.number("Enter a number").positive("Enter a number above 0").optional(),
    unit: z.enum(unitNames).default("minutes"),
    timeZone: z.string("Choose a time zone"),
  }),
  (form, error) => {
    if (form.of === "api" && !form.apiId) error("apiId", "Choose an API");
    if (form.of === "circle" && !form.testCircleId) error("testCircleId", "Choose a circle");
    if (form.kind === "repeating") {
      if (!form.cron?.trim()) error("cron", "Enter when it begins, e.g. 0 2 * * 6");
      if (form.lasts === undefined) error("lasts", "Enter how long it lasts");
      return;
    }
    for (const path of ["from", "to"] as const) {
      const wrong = findMomentError(form[path] ?? "", form.timeZone ?? "");
      if (wrong) error(path, wrong);
    }
  },
);
export type WindowFormValue = z.output<typeof windowForm>;

export function toInput(form: WindowFormValue): MaintenanceWindowInput {
  const { name, of, apiId, testCircleId, kind, from, to, cron, lasts, unit, timeZone } = form;
  return {
    name,
    apiId: of === "api" ? apiId : undefined,
    testCircleId: of === "circle" ? testCircleId : undefined,
    times:
      kind === "once"
        ? { kind, from: readMoment(from!, timeZone), to: readMoment(to!, timeZone) }
        : { kind, cron: cron!.trim(), timeZone, durationMinutes: Math.round(lasts! * units[unit]) },
  };
}

const hour = 3_600_000;

/** The form's values; every field is text. A new window defaults to the next hour. */
export function toForm(window: Partial<MaintenanceWindow>, { timeZone, now }: { timeZone: string; now: number }) {
  const { name = "", apiId, testCircleId, times } = window;
  const once = times?.kind === "once" ? times : undefined;
  const repeating = times?.kind === "repeating" ? times : undefined;
  const zone = repeating?.timeZone ?? timeZone;
  const nextHour = Math.ceil(now / hour) * hour;
  const written = (moment: string | undefined, otherwise: number) =>
    toTyped(moment ?? new Date(otherwise).toISOString(), zone);
  const minutes = repeating?.durationMinutes ?? 120;
  const unit = unitNames.findLast((candidate) => minutes % units[candidate] === 0) ?? "minutes";
  return {
    name,
    of: apiId ? "api" : testCircleId ? "circle" : "all",
    apiId: apiId ?? "",
    testCircleId: testCircleId ?? "",
    kind: (times?.kind ?? "once") as string,
    from: written(once?.from, nextHour),
    to: written(once?.to, nextHour + hour),
    cron: repeating?.cron ?? "",
    lasts: String(minutes / units[unit]),
    unit: unit as string,
    timeZone: zone,
  };
}
export type WindowFormFields = ReturnType<typeof toForm>;

/** Maps the service's paths to the form's fields. */
export function toField(path: string): string {
  const [first, second = ""] = path.split(".");
  if (first !== "times") return path;
  return second === "durationMinutes" ? "lasts" : second;
}
