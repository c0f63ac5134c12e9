import { ExactNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { redacted } from "../../redaction/redactor.ts";
import { toReferredThing, toWords } from "../names.ts";

/** A form of texts that are seldom the same twice. */
export interface ValueForm {
  name: string;
  /** RE2. */
  pattern: string;
}

/** Both take what RFC 9562 and RFC 3339 allow. */
const forms: ValueForm[] = [
  { name: "a UUID", pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$" },
  {
    name: "a date and time",
    pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$",
  },
];
const compiled = forms.map((form) => ({ form, expression: new RegExp(form.pattern) }));

export function findForm(value: Json): ValueForm | undefined {
  if (typeof value !== "string" || value.length > 64) return undefined;
  return compiled.find(({ expression }) => expression.test(value))?.form;
}

/** Words that name what differs from one good response to the next. */
const varyingWords = new Set([
  ...[
    "id",
    "ids",
    "uuid",
    "guid",
    "token",
    "nonce",
    "etag",
    "hash",
    "digest",
    "signature",
    "cursor",
    "next",
    "previous",
  ],
  ...["date", "time", "timestamp", "at", "created", "updated", "modified", "expires", "expiry", "now", "uptime"],
  ...["count", "total", "counter", "sequence", "revision", "age", "duration", "elapsed", "url", "href", "link", "self"],
]);

const dateStart = /^\d{4}-\d{2}-\d{2}/;
/** Hex, Base64 or Base62 that a person would not write. */
const generated = /^(?=.*\d)[A-Za-z0-9+/_=-]{16,}$/;
const minEpochSeconds = 1e9;

/** Whether a value probably differs in the next good response, by its form and its member's name. */
export function isVarying(value: Json, name: string | undefined): boolean {
  if (typeof value === "string") {
    if (value.includes(redacted) || findForm(value) || dateStart.test(value) || generated.test(value)) return true;
    if (/^https?:\/\//i.test(value)) return true;
  }
  const number = typeof value === "number" || value instanceof ExactNumber ? Number(value.toString()) : undefined;
  if (number !== undefined && number >= minEpochSeconds) return true;
  if (name === undefined || typeof value === "boolean") return false;
  if (toReferredThing(name) !== undefined) return true;
  return toWords(name).some((word) => varyingWords.has(word));
}
