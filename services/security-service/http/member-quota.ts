import { Problem } from "#contracts/kit/problem.ts";
import { limitReached } from "../../kit/plan/limit-problem.ts";
import type { PlanParts } from "../../kit/plan/plan-ledger.ts";
import { createPlans } from "../../kit/plan/plan-ledger.ts";
import { findPlan } from "../../kit/plan/plan-table.ts";
import { countOccupied } from "../store/members.ts";
import { lockOrganization } from "../store/organizations.ts";
import { type SecurityTransaction, schemaName } from "../store/tables.ts";

export type MemberQuota = ReturnType<typeof createMemberQuota>;

/** Limits organizations to the number of members that their plans allow. */
export function createMemberQuota(parts: Omit<PlanParts, "schema">) {
  const plans = createPlans({ ...parts, schema: schemaName });
  return {
    /** Fetches the plan, before the transaction that checks the quota. */
    prepare: plans.require,
    take: plans.store,

    /**
     * Invited users count from their invitation on, so that an acceptance is never refused. They are counted each time
     * rather than stored, since invitations expire without a write; callers that add some lock the organization's row.
     * @throws Problem plan_limit_reached
     */
    async require(
      transaction: SecurityTransaction,
      { organizationId, wanted, now }: { organizationId: string; wanted: number; now: Date },
    ): Promise<void> {
      const plan = (await findPlan(transaction, schemaName, organizationId))?.plan;
      const limit = plan?.limits.members ?? null;
      if (!plan || limit === null) return;
      const { members, invited } = await countOccupied(transaction, organizationId, now);
      const used = members + invited;
      if (used + wanted <= limit) return;
      const explained = invited > 0 ? `, ${invited} of them invited` : "";
      throw limitReached({ plan: plan.name, subject: "members", limit, used, requested: wanted }, explained);
    },

    /**
     * Checks the seat of an invited user who accepts. It exists unless the plan has shrunk since: then the first to
     * accept get the remaining seats, and the other invitations stay open until there is quota again.
     * @throws Problem plan_limit_reached
     */
    async requireQuota(transaction: SecurityTransaction, organizationId: string, now: Date): Promise<void> {
      const plan = (await findPlan(transaction, schemaName, organizationId))?.plan;
      const limit = plan?.limits.members ?? null;
      if (limit === null) return;
      const organizationName = await lockOrganization(transaction, organizationId);
      const { members: used } = await countOccupied(transaction, organizationId, now);
      if (used < limit) return;
      const detail = `${organizationName} has as many members as its plan allows. Ask the person who invited you to free a seat, then try again: your invitation stays open.`;
      throw new Problem("plan_limit_reached", detail, { limit, used });
    },
  };
}
