/** Nanoseconds since 1970-01-01T00:00:00Z: APIs write microseconds, which a double of milliseconds can't tell apart. */
export type Moment = bigint;

const nanosecondsPerMillisecond = 1_000_000n;
/** No format has more. */
const longestText = 64;

/** RFC 3339, an HTTP-date (RFC 9110, 5.6.7) or an epoch number; undefined for anything else. */
export function parseMoment(text: string): Moment | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestText) return undefined;
  return parseInternetDate(trimmed) ?? parseHttpDate(trimmed) ?? parseEpoch(trimmed);
}

/** The moment in UTC, to the second. */
export function writeMoment(moment: Moment): string {
  const date = new Date(Number(moment / nanosecondsPerMillisecond));
  return Number.isNaN(date.getTime()) ? String(moment) : date.toISOString().replace(/\.\d+Z$/, "Z");
}

const internetDate = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

function parseInternetDate(text: string): Moment | undefined {
  const match = internetDate.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", sign, hours, minutes] = match;
  const whole = toMoment([year, month, day, hour, minute, second].map(Number));
  if (whole === undefined || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
  const offset = BigInt(Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000_000_000n;
  return whole + nanosecondsOf(fraction) + (sign === "-" ? offset : -offset);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]+day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

function parseHttpDate(text: string): Moment | undefined {
  for (const pattern of httpDates) {
    const parts = pattern.exec(text)?.groups;
    if (!parts) continue;
    const year = Number(parts.year);
    // Two digits are of the obsolete format, which nothing has written since the turn of the century.
    const fullYear = parts.year!.length === 2 ? year + (year < 70 ? 2_000 : 1_900) : year;
    const month = months.indexOf(parts.month!) + 1;
    return toMoment([fullYear, month, Number(parts.day), ...parts.time!.split(":").map(Number)]);
  }
  return undefined;
}

/** From this many on, an epoch number has milliseconds: as seconds it would be in the year 5138. */
const millisecondDigits = 12;

function parseEpoch(text: string): Moment | undefined {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,18})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const inSeconds = BigInt(whole) * 1_000_000_000n + nanosecondsOf(fraction);
  const nanoseconds = whole.length < millisecondDigits ? inSeconds : inSeconds / 1_000n;
  return sign ? -nanoseconds : nanoseconds;
}

function nanosecondsOf(fraction: string): bigint {
  return BigInt(fraction.slice(0, 9).padEnd(9, "0"));
}

/** Undefined for a day or a time that does not exist; second 60 is a leap second. */
function toMoment(parts: number[]): Moment | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  return BigInt(date.getTime()) * nanosecondsPerMillisecond;
}

const units = [
  { name: "d", pattern: "d|days?", nanoseconds: 86_400_000_000_000n },
  { name: "h", pattern: "h|hours?", nanoseconds: 3_600_000_000_000n },
  { name: "min", pattern: "min|minutes?", nanoseconds: 60_000_000_000n },
  { name: "s", pattern: "s|seconds?", nanoseconds: 1_000_000_000n },
  { name: "ms", pattern: "ms|milliseconds?", nanoseconds: nanosecondsPerMillisecond },
];

/** Nanoseconds of a span such as `1 min` or `1.5 h`; undefined for anything else. */
export function parseSpan(text: string): bigint | undefined {
  const [, whole, fraction = "", written = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?\s*([a-z]+)$/.exec(text.trim()) ?? [];
  const unit = units.find(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(written));
  if (whole === undefined || !unit) return undefined;
  return (BigInt(`${whole}${fraction.padEnd(9, "0")}`) * unit.nanoseconds) / 1_000_000_000n;
}

/** In the largest unit that fits and the next one: `2 h 5 min`; below a minute as a decimal: `1.5 s`. */
export function formatSpan(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0 s";
  const index = units.findIndex((unit) => nanoseconds >= unit.nanoseconds);
  const unit = units[index === -1 ? units.length - 1 : index]!;
  if (unit.name === "s" || unit.name === "ms") {
    return `${Number(nanoseconds) / Number(unit.nanoseconds)} ${unit.name}`;
  }
  const smaller = units[index + 1]!;
  const rest = (nanoseconds % unit.nanoseconds) / smaller.nanoseconds;
  return `${nanoseconds / unit.nanoseconds} ${unit.name}${rest > 0n ? ` ${rest} ${smaller.name}` : ""}`;
}
