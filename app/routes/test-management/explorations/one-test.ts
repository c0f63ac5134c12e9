import type { Finding } from "#contracts/test-executioner/explorations.ts";

/** Whether it is one request that needs nothing from others; otherwise it is saved as a circle. */
export function isOneTest({ steps, variables }: Pick<Finding, "steps" | "variables">): boolean {
  return steps.length === 1 && variables.length === 0;
}
