import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Problem } from "#contracts/kit/problem.ts";
import { databaseProblem } from "../../kit/database/database-problem.ts";
import { deriveKey } from "../../kit/vault/vault.ts";
import { addressLimit, fullDiskAccountLimit, fullDiskProcessLimit } from "../domain/login-limit.ts";
import { RecentTries } from "../domain/recent-tries.ts";
import { hashMailedToken } from "../secrets/mailed-secrets.ts";
import { tryKey } from "../store/tries.ts";

const isFull = (error: unknown) =>
  (error instanceof Problem ? error : databaseProblem(error))?.code === "insufficient_storage";

/** The result of `write`; on a full disk, which stores nothing, that of `instead`. */
export async function unlessFull<Result>(
  write: () => Promise<Result>,
  instead: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isFull(error)) throw error;
    return await instead();
  }
}

/** The same for everyone who can't sign in, so that it reveals neither operators nor passwords. */
export function onlyOperators(): Problem {
  return new Problem(
    "insufficient_storage",
    "The portal's disk is full, so nothing can be stored, and only operators can log in until there is space. Existing data is safe. If you are an operator, check your username and password; after five wrong ones, wait 15 minutes.",
    { retryAfterSeconds: 60 },
  );
}

/** Only they can free up space, and all they get is a session that can't be renewed. */
export const isOperator = (roles: readonly string[]): boolean => roles.includes("SYSTEM_ADMIN");

const challengePrefix = "full";

/**
 * Signing in while nothing can be stored: tries are limited, and codes, challenges and passkeys used once, in the
 * memory of this process. Challenges carry what a row would, signed, so that another process can continue; a code may
 * then be used once in each.
 */
export class FullDisk {
  readonly #key: Buffer;
  readonly #tries = new RecentTries();
  /** Hashes of used challenges, and when they expire. */
  readonly #spent = new Map<string, number>();
  readonly #lastSteps = new Map<string, number>();
  readonly #signCounts = new Map<string, number>();

  constructor(secretsKey: string) {
    this.#key = deriveKey(secretsKey, "sign-ins on a full disk");
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }

  /**
   * Counts a try to sign in. Tries from an address that its owner signed in from before don't count for the process,
   * so that guessing by others locks no operator out.
   * @param owner the operator's account; undefined for all other names, whose passwords are not checked
   */
  admit({ owner, address, isKnown }: { owner: string | undefined; address: string; isKnown: boolean }, now: Date) {
    const keys = [
      ["address", address, addressLimit],
      ...(owner === undefined ? [] : [["account", isKnown ? `${owner} ${address}` : owner, fullDiskAccountLimit]]),
      ...(owner === undefined || isKnown ? [] : [["process", "", fullDiskProcessLimit]]),
    ] as [string, string, typeof addressLimit][];
    const counted = keys.map(([kind, value, limit]) => {
      const key = tryKey(kind, value);
      return { key, isWithin: this.#tries.count(key, limit, now) };
    });
    const takeBack = async () => {
      for (const { key, isWithin } of counted) if (isWithin) this.#tries.takeBack(key, now);
    };
    const mayCheck = owner !== undefined && counted.every(({ isWithin }) => isWithin);
    return { mayCheck, refusal: onlyOperators(), takeBack, succeed: takeBack };
  }

  /** @throws Problem insufficient_storage after too many */
  countCodeTry(userId: string, now: Date): () => Promise<void> {
    const key = tryKey("second-factor", userId);
    if (!this.#tries.count(key, fullDiskAccountLimit, now)) throw onlyOperators();
    return async () => this.#tries.takeBack(key, now);
  }

  readonly createChallenge = (userId: string, expiresAt: Date): string => {
    const text = [challengePrefix, userId, expiresAt.getTime(), randomBytes(16).toString("base64url")].join(".");
    return `${text}.${this.#sign(text)}`;
  };

  /** Undefined for a challenge that is expired or not ours. */
  findChallenge(challenge: string, now: Date) {
    const end = challenge.lastIndexOf(".");
    const [prefix, userId = "", expires] = challenge.split(".");
    if (prefix !== challengePrefix) return undefined;
    const [given, right] = [challenge.slice(end + 1), this.#sign(challenge.slice(0, end))].map(Buffer.from);
    if (given!.length !== right!.length || !timingSafeEqual(given!, right!)) return undefined;
    const expiresAt = new Date(Number(expires));
    if (expiresAt <= now) return undefined;
    return { hash: hashMailedToken(challenge), userId, userAgent: "", expiresAt, signedOnAt: null };
  }

  isSpent(hash: string): boolean {
    return this.#spent.has(hash);
  }

  /** @returns false if it was spent before */
  spend({ hash, expiresAt }: { hash: string; expiresAt: Date }, now: Date): boolean {
    for (const [known, expires] of this.#spent) if (expires <= now.getTime()) this.#spent.delete(known);
    if (this.#spent.has(hash)) return false;
    this.#spent.set(hash, expiresAt.getTime());
    return true;
  }

  isNewStep(userId: string, step: number): boolean {
    return step > (this.#lastSteps.get(userId) ?? -1);
  }

  /** @returns false if this time step's code, or a later one, was used before */
  spendStep(userId: string, lastStored: number | null, step: number): boolean {
    if (!this.isNewStep(userId, step) || step <= (lastStored ?? -1)) return false;
    this.#lastSteps.set(userId, step);
    return true;
  }

  /** What a passkey signs for this challenge; only processes with the key can compute it. */
  toPasskeyChallenge(hash: string): string {
    return this.#sign(`passkey ${hash}`);
  }

  /** @returns false if the count has not grown, as `countUse` */
  countUse({ id, sign_count }: { id: string; sign_count: number }, count: number): boolean {
    const last = Math.max(sign_count, this.#signCounts.get(id) ?? 0);
    if (count <= last && (count !== 0 || last !== 0)) return false;
    this.#signCounts.set(id, count);
    return true;
  }
}
