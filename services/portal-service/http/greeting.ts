import type { Logger } from "pino";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import type { securityServiceContract } from "../../security-service/contract/contract.ts";
import { standingNotifications } from "../domain/standing-notifications.ts";
import { insertNotifications, isGreeted } from "../store/notifications.ts";
import { findPlan } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface GreetingParts {
  db: PortalDatabase;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/**
 * Makes what waits for a user who comes in for the first time. When security-service can't say which plan the
 * organization chose, nothing is made: the next listing tries again.
 */
export function createGreeting({ db, securityService, serviceToken }: GreetingParts) {
  async function findChosenPlan(organizationId: string, requestId: string) {
    const client = securityService({ token: await serviceToken(organizationId), requestId });
    const answer = await client.getOrganization({ params: { organizationId } });
    if (!answer.ok) throw new Error(`getOrganization: ${answer.status} ${answer.problem.code}`);
    const plan = answer.value.serviceId === null ? undefined : await findPlan(db, answer.value.serviceId);
    return plan && { name: plan.name, free: Number(plan.price.amount) === 0 };
  }

  return async function greet(person: Identity, now: Date, requestId: string, log: Logger): Promise<void> {
    if (await isGreeted(db, person)) return;
    // Whoever operates the installation is no customer of it.
    const managesBilling = person.scopes.includes("billing:manage") && !person.roles.includes("SYSTEM_ADMIN");
    try {
      const plan = managesBilling ? await findChosenPlan(person.organizationId, requestId) : undefined;
      const waiting = standingNotifications({
        managesBilling,
        registersApis: person.scopes.includes("apis:write"),
        plan,
      });
      await insertNotifications(db, person, waiting, now);
    } catch (error) {
      log.error({ err: error, userId: person.userId }, "the first notifications could not be made");
    }
  };
}
