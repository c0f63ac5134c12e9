import type { Logger } from "pino";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import { databaseProblem } from "../../kit/database/database-problem.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import { getWelcomeNotifications, limitNear, runsSkipped } from "../domain/welcome-notifications.ts";
import { insertNotifications, isGreeted, listNotifiedIds } from "../store/notifications.ts";
import type { OrganizationPlan } from "../store/organization-plans.ts";
import { listPlans } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";
import { hasSkipped, readUsage, toMonth } from "../store/usage.ts";
import type { FindOwnPlan } from "./plans.ts";

export interface GreetingParts {
  db: PortalDatabase;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  findOwnPlan: FindOwnPlan;
  /** Whether a payment provider is configured. */
  sells: boolean;
}

interface Coming {
  person: Identity;
  now: Date;
  requestId: string;
  log: Logger;
}

/**
 * Creates the notifications of a user who opens the portal: a welcome the first time, and one for each plan limit
 * that is near. When security-service can't describe the organization, nothing is created and the next listing tries
 * again.
 */
export function createGreeting({ db, securityService, serviceToken, findOwnPlan, sells }: GreetingParts) {
  /** The paid plan picked at registration, unless there is one already. */
  async function findPickedPlan(organizationId: string, { planId }: OrganizationPlan, requestId: string) {
    const client = securityService({ token: await serviceToken(organizationId), requestId });
    const result = await client.getOrganization({ params: { organizationId } });
    if (!result.ok) throw new Error(`getOrganization: ${result.status} ${result.problem.code}`);
    const { serviceId } = result.value;
    const paid = (await listPlans(db)).filter(({ price }) => Number(price.amount) > 0);
    if (planId === null || paid.some((plan) => plan.serviceId === planId)) return undefined;
    return paid.find((plan) => plan.serviceId === serviceId && plan.retiredAt === null)?.name;
  }

  async function welcome({ person, now, requestId }: Coming, plan: OrganizationPlan | undefined): Promise<void> {
    if (await isGreeted(db, person)) return;
    const waiting = getWelcomeNotifications({
      managesBilling: plan !== undefined,
      registersApis: person.scopes.includes("apis:write"),
      hasApi: (await readUsage(db, person.organizationId, toMonth(now))).apis > 0,
      pickedPlan: plan && sells ? await findPickedPlan(person.organizationId, plan, requestId) : undefined,
    });
    await insertNotifications(db, person, waiting, now);
  }

  async function notifyLimits({ person, now }: Coming, { plan, near }: OrganizationPlan): Promise<void> {
    const month = toMonth(now);
    const current = near.filter(({ subject, period }) => subject !== "executionsPerMonth" || period === month);
    if (!plan || current.length === 0) return;
    const notified = await listNotifiedIds(db, person, "limit-near");
    const wordings = current.map((limit) => limitNear(limit, plan.name)).filter(({ about }) => !notified.has(about!));
    if (wordings.length > 0) await insertNotifications(db, person, wordings, now);
  }

  /** Once per month, however many runs were skipped. */
  async function notifySkipped({ person, now }: Coming, { plan }: OrganizationPlan): Promise<void> {
    const month = toMonth(now);
    if (!plan || !(await hasSkipped(db, person.organizationId, month))) return;
    if ((await listNotifiedIds(db, person, "runs-skipped")).has(month)) return;
    await insertNotifications(db, person, [runsSkipped(month)], now);
  }

  return async function greet(coming: Coming): Promise<void> {
    const { person, requestId, log } = coming;
    try {
      const managesBilling = person.scopes.includes("billing:manage");
      const plan = managesBilling ? await findOwnPlan({ caller: person, requestId, log }) : undefined;
      await welcome(coming, plan);
      if (!plan) return;
      await notifyLimits(coming, plan);
      await notifySkipped(coming, plan);
    } catch (error) {
      // The database reports its own failures.
      if (!databaseProblem(error)) log.error({ err: error, userId: person.userId }, "notifications could not be made");
    }
  };
}
