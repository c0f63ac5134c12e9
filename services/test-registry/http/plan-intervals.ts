import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { portalServiceContract } from "../../portal-service/contract/contract.ts";
import { type Recurrence, shortestStepSeconds } from "../domain/recurrence/recurrence.ts";

export type RequirePlanAllows = ReturnType<typeof createRequirePlanAllows>;

function words(seconds: number): string {
  for (const [size, unit] of [[86_400, "day"] as const, [3_600, "hour"] as const, [60, "minute"] as const]) {
    if (seconds % size === 0) return seconds === size ? `every ${unit}` : `every ${seconds / size} ${unit}s`;
  }
  return `every ${seconds} seconds`;
}

/** Makes what asks for the organization's plan whether a schedule may run so often. */
export function createRequirePlanAllows({
  portalService,
  serviceToken,
}: {
  portalService: Connect<typeof portalServiceContract>;
  serviceToken: IssueServiceToken;
}) {
  return async (
    { organizationId, requestId }: { organizationId: string; requestId: string },
    recurrence: Recurrence,
  ): Promise<void> => {
    const answer = await portalService({ token: await serviceToken(organizationId), requestId }).getPlan();
    if (!answer.ok) throw new Problem(answer.problem.code, answer.problem.detail, { service: answer.problem.service });
    const { plan } = answer.value;
    const used = shortestStepSeconds(recurrence);
    const limit = plan?.limits.shortestIntervalSeconds ?? 0;
    if (used >= limit) return;
    const detail = `The ${plan?.name} plan starts a schedule ${words(limit)} at most, and this one would start ${words(used)}.`;
    throw new Problem("plan_limit_reached", detail, { limit, used });
  };
}
