import type { Usage, UsageSubject } from "#contracts/portal-service/usage.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { Quota } from "./plan-quota";

/** The remaining quota of a plan's limit; undefined where there is no limit or it is unknown. */
export async function findQuota(viewer: Viewer, subject: UsageSubject): Promise<Quota | undefined> {
  return (await findQuotas(viewer, [subject]))[0];
}

/** The same for several limits with one call, omitting the unlimited ones. */
export async function findQuotas(viewer: Viewer, subjects: readonly UsageSubject[]): Promise<Quota[]> {
  if (subjects.length === 0) return [];
  const usage = available(await viewer.backend.portalService.getUsage());
  return subjects.flatMap((subject) => toQuota(usage, subject, viewer) ?? []);
}

/** The remaining quota of a limit, from usage that is already loaded. */
export function toQuota(usage: Usage | undefined, subject: UsageSubject, viewer: Viewer): Quota | undefined {
  const item = usage?.items.find((one) => one.subject === subject);
  if (!usage?.plan || typeof item?.limit !== "number") return undefined;
  const { used, limit } = item;
  return { subject, plan: usage.plan.name, used, limit, managesBilling: viewer.may("billing:manage") };
}
