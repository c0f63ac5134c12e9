import type { Kysely } from "kysely";
import type { HeldSubject, PlanStanding } from "#contracts/kit/plan.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Answer, Caller } from "../client/client.ts";
import type { AnyTables } from "../database/database.ts";
import type { InTransaction } from "../database/pipeline.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import { limitReached } from "./limit-words.ts";
import { countDown, countUp, findPlan, type KnownPlan, storePlan } from "./plan-table.ts";

export interface PlanParts {
  // biome-ignore lint/suspicious/noExplicitAny: each service has other tables beside the one of plans.
  db: Kysely<any>;
  schema: string;
  /** Knows what an organization's plan is. */
  portalService: (caller: Caller) => { getPlan(): Promise<Answer<PlanStanding>> };
  serviceToken: IssueServiceToken;
}

export type Plans = ReturnType<typeof createPlans>;

/** What organizations may do by their plans, as far as this service was told. */
export function createPlans({ db, schema, portalService, serviceToken }: PlanParts) {
  const tables = db as Kysely<AnyTables>;
  return {
    /**
     * What an organization's plan is. It is asked for once, before any transaction, and told from then on.
     * @throws Problem where it is to be asked for and portal-service does not answer
     */
    async require(organizationId: string, requestId: string): Promise<KnownPlan> {
      const known = await findPlan(tables, schema, organizationId);
      if (known) return known;
      const answer = await portalService({ token: await serviceToken(organizationId), requestId }).getPlan();
      if (!answer.ok)
        throw new Problem(answer.problem.code, answer.problem.detail, { service: answer.problem.service });
      await storePlan(tables, schema, organizationId, answer.value);
      return (await findPlan(tables, schema, organizationId))!;
    },

    /** Takes what portal-service tells, in whichever order. */
    take: (organizationId: string, standing: PlanStanding) => storePlan(tables, schema, organizationId, standing),
  };
}

export type PlanLedger = ReturnType<typeof createPlanLedger>;

/** Counts what a service holds of an organization, in the transactions that make and delete it. */
export function createPlanLedger(parts: PlanParts & { subject: HeldSubject }) {
  const { schema, subject } = parts;
  const plans = createPlans(parts);
  return {
    ...plans,

    /**
     * What can't fit is refused before anything is done for it; of those that come at once `add` decides.
     * @throws Problem plan_limit_reached
     */
    async requireRoom(organizationId: string, requestId: string): Promise<void> {
      const { plan, used } = await plans.require(organizationId, requestId);
      const limit = plan?.limits[subject] ?? null;
      if (plan && limit !== null && used >= limit) throw limitReached({ plan: plan.name, subject, limit, used });
    },

    /**
     * Counts what is made, of any number of transactions at once no more than fits.
     * @throws Problem plan_limit_reached with limit and used
     */
    async add(transaction: InTransaction, organizationId: string, by = 1): Promise<void> {
      if (by === 0 || (await countUp(transaction, schema, { organizationId, subject, by }))) return;
      const known = await findPlan(transaction, schema, organizationId);
      const limit = known?.plan?.limits[subject] ?? null;
      if (!known?.plan || limit === null) throw new Error(`The plan of ${organizationId} was not asked for.`);
      throw limitReached({ plan: known.plan.name, subject, limit, used: known.used, wanted: by });
    },

    /** Counts what is gone. */
    async remove(transaction: InTransaction, organizationId: string, by = 1): Promise<void> {
      if (by > 0) await countDown(transaction, schema, { organizationId, by });
    },
  };
}
