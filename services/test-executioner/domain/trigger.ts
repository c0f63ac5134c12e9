import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";

/**
 * The trigger of a run, which decides whether it counts and whether it opens incidents: by the credential, since a
 * caller could claim any. The portal's own services state it.
 */
export function triggerFor(
  { kind }: { kind: "user" | "token" | "service" | "agent" },
  requested: RunTrigger = "api",
  isRepetition = false,
): RunTrigger {
  if (kind === "token") return requested === "ci" ? "ci" : "api";
  if (isRepetition) return "rerun";
  return kind === "user" ? "manual" : requested;
}
