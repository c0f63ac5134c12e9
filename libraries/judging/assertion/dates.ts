import type { Assertion, Comparison } from "#contracts/test-registry/assertions.ts";
import { isJsonNumber } from "../../json/compare-json.ts";
import type { Json } from "../../json/json.ts";
import { formatSpan, type Moment, parseMoment, parseSpan, writeMoment } from "../../moment/moment.ts";
import { describeValue, describeWithType, type Show } from "../describe-value.ts";
import { type JudgedResponse, Unjudgeable } from "../judged-response.ts";
import type { Evaluation } from "../verification.ts";
import { subjectOf } from "./comparisons.ts";
import type { Found } from "./find-value.ts";
import { capitalize, expectationOf } from "./sentence.ts";

export type JudgedValue = Pick<Evaluation, "outcome" | "message">;

export function isDateComparison(comparison: Comparison): boolean {
  return comparison === "before" || comparison === "after" || comparison === "within";
}

interface Reference {
  moment: Moment;
  /** `now`, or the date as it was written. */
  written: string;
}

function readReference(target: unknown, judged: JudgedResponse, show: Show): Reference {
  if (typeof target === "string" && target.trim() === "now") return { moment: judged.receivedAt, written: "now" };
  const text = typeof target === "string" || isJsonNumber(target as Json) ? String(target) : "";
  const moment = parseMoment(text);
  if (moment === undefined) throw new Unjudgeable("invalid_assertion", "The target is not a date.");
  return { moment, written: writeDate(target as Json, moment, show) };
}

function readSpan(span: unknown): bigint {
  const nanoseconds = typeof span === "string" ? parseSpan(span) : undefined;
  if (nanoseconds === undefined) throw new Unjudgeable("invalid_assertion", "The target has no span such as 1 min.");
  return nanoseconds;
}

/** A number as its date, too. */
function writeDate(value: Json, moment: Moment, show: Show): string {
  const written = show(String(value));
  const isNumber = written === String(value) && /^-?[\d.]+$/.test(written.trim());
  return isNumber ? `${written} (${writeMoment(moment)})` : written;
}

/** Text of a header, a cookie or a body may be a number; a JSON string may not. */
function readMoment(value: Json, isText: boolean): Moment | undefined {
  if (typeof value === "string") return isText || !/^\s*-?[\d.]+\s*$/.test(value) ? parseMoment(value) : undefined;
  return isJsonNumber(value) ? parseMoment(String(value)) : undefined;
}

function writeDifference(difference: bigint, written: string): string {
  if (difference === 0n) return written === "now" ? "now" : `the same as ${written}`;
  const span = formatSpan(difference < 0n ? -difference : difference);
  return `${span} ${difference < 0n ? "before" : "after"} ${written}`;
}

/** Compares dates, whatever their formats and zones. */
export function judgeDate(assertion: Assertion, found: Found, judged: JudgedResponse, show: Show): JudgedValue {
  const { comparison, target } = assertion;
  const [span, date] = comparison === "within" ? (Array.isArray(target) ? target : []) : [undefined, target];
  const reference = readReference(date, judged, show);
  const allowed = comparison === "within" ? readSpan(span) : undefined;
  const expected = expectationOf(assertion, found, show);
  if (found.kind === "missing") return { outcome: "failed", message: `${expected}, but ${found.reason}.` };

  const value = subjectOf(found, comparison, target);
  const moment = readMoment(value, found.text);
  if (moment === undefined) {
    const described = found.text ? describeValue(value, show) : describeWithType(value, show);
    return { outcome: "failed", message: `${expected}, found ${described}, which is not a date.` };
  }
  const difference = moment - reference.moment;
  const distance = difference < 0n ? -difference : difference;
  const passed =
    allowed === undefined ? (comparison === "before" ? difference < 0n : difference > 0n) : distance <= allowed;
  const written = writeDate(value, moment, show);
  const isSecret = show(String(value)) !== String(value);
  const missed = passed ? "" : `, not ${comparison} it`;
  const rule = allowed === undefined ? missed : `, at most ${formatSpan(allowed)} allowed`;
  return {
    outcome: passed ? "passed" : "failed",
    // The difference would give a secret date away.
    message: isSecret
      ? `${expected}, found ${written}.`
      : `${capitalize(found.place)}: ${written} is ${writeDifference(difference, reference.written)}${rule}.`,
  };
}
