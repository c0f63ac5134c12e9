import type { Kysely } from "kysely";
import type { PlanStatus, QuotaSubject } from "#contracts/kit/plan.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Caller, CallResult } from "../client/client.ts";
import type { AnyTables } from "../database/database.ts";
import type { InTransaction } from "../database/pipeline.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import { limitReached } from "./limit-problem.ts";
import { countDown, countUp, findPlan, type KnownPlan, storePlan } from "./plan-table.ts";

export interface PlanParts {
  // biome-ignore lint/suspicious/noExplicitAny: each service has other tables in addition to the plans table.
  db: Kysely<any>;
  schema: string;
  /** Source of an organization's plan. */
  portalService: (caller: Caller) => { getPlan(): Promise<CallResult<PlanStatus>> };
  serviceToken: IssueServiceToken;
}

export type Plans = ReturnType<typeof createPlans>;

/** The plans of organizations, as last reported to this service. */
export function createPlans({ db, schema, portalService, serviceToken }: PlanParts) {
  const tables = db as Kysely<AnyTables>;
  return {
    /**
     * An organization's plan. Requested once, before any transaction, and updated by events from then on.
     * @throws Problem when it has to be requested and portal-service does not respond
     */
    async require(organizationId: string, requestId: string): Promise<KnownPlan> {
      const known = await findPlan(tables, schema, organizationId);
      if (known) return known;
      const result = await portalService({ token: await serviceToken(organizationId), requestId }).getPlan();
      if (!result.ok)
        throw new Problem(result.problem.code, result.problem.detail, { service: result.problem.service });
      await storePlan(tables, schema, organizationId, result.value);
      return (await findPlan(tables, schema, organizationId)) ?? throwDeleted();
    },

    /** Stores a plan reported by portal-service; reports may arrive in any order. */
    store: (organizationId: string, status: PlanStatus) => storePlan(tables, schema, organizationId, status),
  };
}

/** For calls during which the organization's rows were deleted: until then it has a plan. */
export const organizationDeleted = () => new Problem("unauthenticated", "The organization was deleted.");

function throwDeleted(): never {
  throw organizationDeleted();
}

export type PlanLedger = ReturnType<typeof createPlanLedger>;

/** Counts a service's resources of an organization, in the transactions that create and delete them. */
export function createPlanLedger(parts: PlanParts & { subject: QuotaSubject }) {
  const { schema, subject } = parts;
  const plans = createPlans(parts);
  return {
    ...plans,

    /**
     * Refuses early when the limit is reached; `add` decides between concurrent calls.
     * @throws Problem plan_limit_reached
     */
    async requireQuota(organizationId: string, requestId: string): Promise<void> {
      const { plan, used } = await plans.require(organizationId, requestId);
      const limit = plan?.limits[subject] ?? null;
      if (plan && limit !== null && used >= limit) throw limitReached({ plan: plan.name, subject, limit, used });
    },

    /**
     * Counts created resources; concurrent transactions together never exceed the limit.
     * @throws Problem plan_limit_reached with limit and used
     */
    async add(transaction: InTransaction, organizationId: string, by = 1): Promise<void> {
      if (by === 0 || (await countUp(transaction, schema, { organizationId, subject, by }))) return;
      const known = (await findPlan(transaction, schema, organizationId)) ?? throwDeleted();
      const limit = known.plan?.limits[subject] ?? null;
      if (!known.plan || limit === null) throw new Error(`The plan of ${organizationId} is unknown.`);
      throw limitReached({ plan: known.plan.name, subject, limit, used: known.used, requested: by });
    },

    /** Counts deleted resources. */
    async remove(transaction: InTransaction, organizationId: string, by = 1): Promise<void> {
      if (by > 0) await countDown(transaction, schema, { organizationId, by });
    },
  };
}
