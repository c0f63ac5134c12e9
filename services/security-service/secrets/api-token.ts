import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { apiTokenPrefix } from "../../kit/identity/api-token.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^40 are 238 bits. */
const randomSigns = 40;
/** Encodes any 32 bits. */
const checkSigns = 6;

function getCheck(text: string): string {
  let rest = crc32(text);
  let signs = "";
  while (signs.length < checkSigns) {
    signs = alphabet[rest % 62] + signs;
    rest = Math.floor(rest / 62);
  }
  return signs;
}

/** A new token, of which only the hash is stored. A plain hash is enough for an unguessable value. */
export function createApiTokenSecret(): { token: string; hash: string } {
  const random = Array.from({ length: randomSigns }, () => alphabet[randomInt(62)]).join("");
  const token = `${apiTokenPrefix}${random}${getCheck(random)}`;
  return { token, hash: hashApiToken(token) };
}

export function hashApiToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Whether its checksum is right: mistyped and made-up tokens are refused without a database query. */
export function isWellFormed(token: string): boolean {
  const [, random, check] = /^aap_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(token) ?? [];
  return random !== undefined && getCheck(random) === check;
}
