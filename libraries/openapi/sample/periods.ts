import { sampleTimes } from "./sample-strings.ts";

const begins = /^(starts?|begins?|from)$/;
const ends = /^(ends?|until|till|to|expires?|expiry|expiration|due)$/;

/**
 * Servers often refuse periods that lie in the past or end when they begin: their members are set far ahead, a day
 * apart. Values that are not generated moments are unchanged.
 */
export function moveToFuture<Value>(name: string, value: Value): Value | string {
  const isMoment = typeof value === "string" && sampleTimes.includes(value);
  if (!isMoment) return value;
  const words = wordsOf(name);
  const day = words.some((word) => ends.test(word)) ? 16 : words.some((word) => begins.test(word)) ? 15 : undefined;
  return day === undefined ? value : value.replace(/^\d{4}-\d{2}-\d{2}/, `2099-01-${day}`);
}

/** A documented end of a period, such as an expiry, in the year 2099: by now its document's may lie in the past. */
export function postpone(name: string, text: string): string {
  const isEnd = wordsOf(name).some((word) => ends.test(word));
  const isDate = /^20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text);
  return isEnd && isDate ? text.replace(/^\d{4}/, "2099").replace(/^2099-02-29/, "2099-02-28") : text;
}

const wordsOf = (name: string) => name.split(/[_\-\s.]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
