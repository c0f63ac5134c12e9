import { ExactNumber } from "#libraries/json/exact-number.ts";
import { redacted } from "#libraries/redaction/redactor.ts";
import { splitName, toReferredThing } from "../names.ts";

/** A value that may identify something. */
export interface IdentifyingValue {
  text: string;
  /** Long enough that the same value elsewhere is no accident: a UUID, or at least 16 characters. */
  isDistinctive: boolean;
}

const distinctiveLength = 16;
const maxLength = 200;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const emptyUuid = /^[0-]+$/;
/** What generators make: `01HF3KZ…`, `cus_9s6XKzkNRiz8i3`; no words, dates or addresses. */
const longIdentifier = /^(?=.*\d)(?=.*[A-Za-z])(?!\d{4}-?\d\d-?\d\dT)[\w-]{16,}$/;
const integer = /^[1-9]\d*$/;
const withDigit = /\d/;
const numberedIdentifiers = new Set(["id", "key", "ref"]);
/** Short words without a digit are states and kinds: `active`, `default`. */
const minWordLength = 8;

/** Whether a member or a parameter of this name identifies something: `id`, `bookId`, `slug`, `author_ids`. */
export function isIdentifierName(name: string): boolean {
  return splitName(name).identifier !== "" || toReferredThing(name) !== undefined;
}

const isNumberedName = (name: string) =>
  numberedIdentifiers.has(splitName(name).identifier) || toReferredThing(name) !== undefined;

/**
 * Reads a member of a response as an identifier, by its name or its look.
 * @param value as `parseJson` reads it
 */
export function readIdentifier(name: string, value: unknown): IdentifyingValue | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) {
    const text = String(value);
    if (!integer.test(text) || !isNumberedName(name)) return undefined;
    return { text, isDistinctive: text.length >= distinctiveLength };
  }
  if (typeof value !== "string" || value.length > maxLength || /\s/.test(value) || value.includes(redacted)) {
    return undefined;
  }
  if (uuid.test(value)) return emptyUuid.test(value) ? undefined : { text: value, isDistinctive: true };
  if (longIdentifier.test(value)) return { text: value, isDistinctive: true };
  if (!isIdentifierName(name) || value.includes("://")) return undefined;
  if (!withDigit.test(value)) return value.length < minWordLength ? undefined : { text: value, isDistinctive: false };
  return { text: value, isDistinctive: value.length >= distinctiveLength };
}
