import { decodeEscapes, toView } from "./decodings.ts";

export interface KnownSecret {
  secret: string;
  /** With Basic authentication: the user name sent with the secret. */
  username?: string;
}

/** Bytes to search for. */
export interface Pattern {
  bytes: Uint8Array;
  /** Whether parts of it are searched for too. */
  inParts: boolean;
}

/** Shorter parts reveal little, and hiding them would destroy unrelated text. */
export const windowBytes = 8;

/**
 * Converts a secret to byte patterns: in every character set that an echo may use, also misinterpreted ones (UTF-8
 * read as Latin-1, Latin-1 read as UTF-8), in upper and lower case, and with apparent escapes decoded.
 */
export function listPatterns({ secret, username }: KnownSecret): Pattern[] {
  if (secret === "") return [];
  const spellings = new Set([secret, secret.toLowerCase(), secret.toUpperCase()]);
  const whole = [...spellings].flatMap(listBytes);
  for (const spelling of spellings) {
    for (let view = decodeEscapes(toView(spelling)); view; view = decodeEscapes(view))
      whole.push(Buffer.from(view.bytes));
  }
  const distinct = [
    ...new Map(whole.filter(({ length }) => length > 0).map((bytes) => [bytes.toString("latin1"), bytes])).values(),
  ];
  const patterns = distinct.map((bytes) => ({ bytes, inParts: bytes.length >= windowBytes }));
  // Too short to search for in possible base64, so the pair it is sent in is searched for instead.
  if (username !== undefined && secret.length < windowBytes) {
    patterns.push({ bytes: Buffer.from(`${username}:${secret}`), inParts: false });
  }
  return patterns;
}

function listBytes(text: string): Buffer[] {
  const utf8 = Buffer.from(text, "utf8");
  if (utf8.length === text.length) return [utf8];
  const latin1 = Buffer.from(text, "latin1");
  const utf16 = Buffer.from(text, "utf16le");
  const bytes = [utf8, Buffer.from(utf8.toString("latin1"), "utf8"), utf16, Buffer.from(utf16).swap16()];
  const isLatin1 = latin1.toString("latin1") === text;
  return isLatin1 ? [...bytes, latin1, Buffer.from(latin1.toString("utf8"), "utf8")] : bytes;
}
