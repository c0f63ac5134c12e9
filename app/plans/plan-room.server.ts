import { available } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import type { UsageSubject } from "../../services/portal-service/contract/usage.ts";
import type { Room } from "./plan-room";

/** What is left of a plan's limit; undefined where nothing limits, or nobody can say. */
export async function findRoom({ backend }: Viewer, subject: UsageSubject): Promise<Room | undefined> {
  const usage = available(await backend.portalService.getUsage());
  const item = usage?.items.find((one) => one.subject === subject);
  return usage?.plan && typeof item?.limit === "number"
    ? { subject, plan: usage.plan.name, used: item.used, limit: item.limit }
    : undefined;
}
