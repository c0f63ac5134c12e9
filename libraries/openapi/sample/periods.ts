import { sampleTimes } from "./sample-strings.ts";

const begins = /^(starts?|begins?|from)$/;
const ends = /^(ends?|until|till|to|expires?|expiry|expiration|due)$/;

/**
 * What begins and ends is often refused where it lies in the past, or ends as it begins: such members lie far ahead, a
 * day apart. Whatever is no moment of ours stays as it is.
 */
export function inItsPeriod<Value>(name: string, value: Value): Value | string {
  const isMoment = typeof value === "string" && sampleTimes.includes(value);
  if (!isMoment) return value;
  const words = name.split(/[_\-\s.]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const day = words.some((word) => ends.test(word)) ? 16 : words.some((word) => begins.test(word)) ? 15 : undefined;
  return day === undefined ? value : value.replace(/^\d{4}-\d{2}-\d{2}/, `2099-01-${day}`);
}
