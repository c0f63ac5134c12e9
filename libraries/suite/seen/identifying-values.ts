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

/** What the name of a member or parameter says of its values. */
export interface IdentifierName {
  /** `id`, `bookId`, `slug`, `author_ids`. */
  isIdentifier: boolean;
  /** Whether its numbers identify something: not in `number` or `code`. */
  isNumbered: boolean;
}

export function readName(name: string): IdentifierName {
  const { identifier } = splitName(name);
  const isReference = toReferredThing(name) !== undefined;
  return {
    isIdentifier: identifier !== "" || isReference,
    isNumbered: numberedIdentifiers.has(identifier) || isReference,
  };
}

/**
 * Reads a member of a response as an identifier, by its name or its look.
 * @param value as `parseJson` reads it
 */
export function readIdentifier(
  { isIdentifier, isNumbered }: IdentifierName,
  value: unknown,
): IdentifyingValue | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) {
    if (!isNumbered) return undefined;
    const text = String(value);
    return integer.test(text) ? { text, isDistinctive: text.length >= distinctiveLength } : undefined;
  }
  if (typeof value !== "string" || value.length > maxLength) return undefined;
  // Most texts end here.
  if (!isIdentifier && value.length < distinctiveLength) return undefined;
  if (/\s/.test(value) || value.includes(redacted)) return undefined;
  if (uuid.test(value)) return emptyUuid.test(value) ? undefined : { text: value, isDistinctive: true };
  if (longIdentifier.test(value)) return { text: value, isDistinctive: true };
  if (!isIdentifier || value.includes("://")) return undefined;
  if (!withDigit.test(value)) return value.length < minWordLength ? undefined : { text: value, isDistinctive: false };
  return { text: value, isDistinctive: value.length >= distinctiveLength };
}
