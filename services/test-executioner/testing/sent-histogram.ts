import { type Buckets, toBuckets, toHistogram } from "../domain/response-times.ts";

/** The buckets of times as read from a database that stored their histogram: PostgreSQL's binary numeric. */
export function sentBuckets(times: readonly number[]): Buckets {
  return toBuckets(sendNumeric(toHistogram(times)));
}

export function sendNumeric(text: string): Uint8Array {
  const trimmed = text.replace(/^0+/, "");
  const all = trimmed.padStart(Math.ceil(trimmed.length / 4) * 4, "0").match(/.{4}/g) ?? [];
  const digits = all.slice(0, all.findLastIndex((digit) => digit !== "0000") + 1);
  const bytes = Buffer.alloc(8 + 2 * digits.length);
  bytes.writeUInt16BE(digits.length, 0);
  bytes.writeInt16BE(Math.max(0, all.length - 1), 2);
  for (const [index, digit] of digits.entries()) bytes.writeUInt16BE(Number(digit), 8 + 2 * index);
  return bytes;
}
