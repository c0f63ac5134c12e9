import type { Configuration } from "./configuration.ts";

/**
 * Deadlines of calls: from outside, and between services on behalf of such a call. The latter are shorter, so that
 * the caller gets the name of the unavailable service and not of the one that waits for it. Pages wait for hints, which
 * they don't need, for a small part of it: 0.3 s by default.
 */
export function getDeadlines({ serviceDeadlineSeconds }: Pick<Configuration, "serviceDeadlineSeconds">) {
  const callMilliseconds = serviceDeadlineSeconds * 1_000;
  return {
    callMilliseconds,
    innerCallMilliseconds: callMilliseconds * 0.8,
    hintMilliseconds: callMilliseconds * 0.03,
  };
}
