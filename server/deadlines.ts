import type { Configuration } from "./configuration.ts";

/**
 * How long calls may take: from outside, and among the services for such a call. The latter end first, so that whoever
 * asked is told of the service that is away and not of the one that waits for it.
 */
export function deadlinesOf({ serviceDeadlineSeconds }: Pick<Configuration, "serviceDeadlineSeconds">) {
  const callMilliseconds = serviceDeadlineSeconds * 1_000;
  return { callMilliseconds, innerCallMilliseconds: callMilliseconds * 0.8 };
}
