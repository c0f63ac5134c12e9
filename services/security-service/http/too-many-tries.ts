import { Problem } from "#contracts/kit/problem.ts";
import { retryAfterSeconds, type TryLimit } from "../domain/try-limit.ts";

/** @param what a sentence such as `Too many tries to sign in.`; the time to wait is appended */
export function tooManyTries(what: string, oldestTry: Date, limit: TryLimit, now: Date): Problem {
  const seconds = retryAfterSeconds(oldestTry, limit, now);
  const minutes = Math.ceil(seconds / 60);
  return new Problem("too_many_requests", `${what} Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`, {
    retryAfterSeconds: seconds,
  });
}
