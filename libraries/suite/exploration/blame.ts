import type { BrokenRule } from "../negative/broken-rule.ts";
import { type Change, describeChange, type Place } from "./places.ts";
import { byValue, type Sighting } from "./trial.ts";
import type { Violation } from "./violations.ts";

/** As the key of a place. */
export const placeOf = (rule: BrokenRule) =>
  rule.in === "body"
    ? `body /${rule.path.filter((step) => typeof step === "string").join("/")}`
    : `${rule.in} ${rule.parameter}`;

/**
 * For kinds whose cause is a value: the cause has the places. The bodies of a resource are read by the same code, and a
 * parameter's texts are judged by the same code wherever it is.
 */
export function withPlaces(violation: Violation, places: string, area: string | undefined): Violation {
  const { kind, cause } = violation;
  if (!byValue.includes(kind) || places === "") return violation;
  const isOfBody = places.split(", ").every((place) => place.startsWith("body "));
  const where = isOfBody && area ? area : kind === "refusedValid" && !isOfBody ? "" : cause;
  return { ...violation, cause: `${where} ${places}`.trim() };
}

/** With other values the cause has fewer places. */
export function isSameCause(one: Violation, other: Violation): boolean {
  return byValue.includes(one.kind) ? one.says === other.says : one.cause === other.cause;
}

/** A path's value is no path of its own, and not empty. */
export const fits = ({ parameter }: Place, value: unknown) =>
  parameter?.in !== "path" || !/^$|[/\\.\p{Cc}]/u.test(typeof value === "string" ? value : "1");

const toPhrase = (change: Change) => `${change.value === undefined ? "" : "with "}${describeChange(change)}`;

/** With the values that lead to it. */
export function tell(sighting: Sighting, changes: readonly Change[]): Sighting {
  const { violation } = sighting;
  const values = changes.map(describeChange).join(" with ");
  const says = {
    serverError: `${violation.says} to ${values}`,
    undocumentedStatus: `${violation.says}, to ${values}`,
    refusedValid: `Refused ${values} although the document allows it`,
    valueLost: violation.says,
    notReadable: `${violation.says} ${changes.map(toPhrase).join(" and ")}`,
  } as Partial<Record<Violation["kind"], string>>;
  return { ...sighting, violation: { ...violation, says: says[violation.kind] ?? `${violation.says}, for ${values}` } };
}
