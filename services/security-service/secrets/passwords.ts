import { randomBytes } from "node:crypto";
import { hash, type Options, verify } from "@node-rs/argon2";
import { createTurns } from "./turns.ts";

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Costs the same whether or not the account exists: without a stored hash it checks against the hash of an unknown
   * password.
   */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
}

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, two passes, one lane. 2 is the library's Argon2id. */
const cost: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Two hashes at once (40 MB) leave the other threads of libuv's pool to files and DNS; 200 waiting take about three
 * seconds on one core, the longest acceptable wait for a form.
 */
export async function createPasswords(check: typeof verify = verify): Promise<Passwords> {
  const inTurn = createTurns({ atOnce: 2, waiting: 200 });
  const decoyHash = await hash(randomBytes(32), cost);
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    async matches(storedHash, password) {
      const matches = await inTurn(() => check(storedHash ?? decoyHash, password));
      return storedHash !== undefined && matches;
    },
  };
}

/** For an account whose owner did not choose one: 120 bits, readable aloud (no 0/O, 1/l/I). */
export function generatePassword(): string {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789ABCD"; // 35 characters: 24 of them carry 123 bits.
  const signs: string[] = [];
  while (signs.length < 24) {
    for (const byte of randomBytes(48)) {
      // Bytes beyond the last full round are discarded; otherwise the first characters would occur more often.
      if (byte < 245 && signs.length < 24) signs.push(alphabet[byte % 35] as string);
    }
  }
  return (signs.join("").match(/.{6}/g) as string[]).join("-");
}
