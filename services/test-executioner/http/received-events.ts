import type { Clock } from "../../kit/clock/clock.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { forgetCountsOfCircle } from "../store/counts.ts";
import { markDeleted } from "../store/deleted-tests.ts";
import { type DeletionParts, deleteExecutionsOfApi, deleteExecutionsOfTests } from "../store/deletions.ts";
import { markDisabled } from "../store/disabled-tests.ts";

/**
 * What is kept of tests goes with them. It goes in batches, each of its own transaction, and there is nothing to mark
 * as done: hearing it twice, or after half of it was done, deletes what is left.
 */
export function createReceivedEventHandlers(
  parts: DeletionParts & { clock: Clock; plans: Plans; ended: EndedOrganizations },
): Pick<Handlers<typeof testExecutionerContract>, "receiveEvent"> {
  return {
    async receiveEvent({ caller: { organizationId }, body: { type, payload } }) {
      const { db, clock } = parts;
      if (type === "plan.changed") {
        await parts.plans.take(organizationId, payload);
        return undefined;
      }
      if (type === "circle.deleted") {
        await forgetCountsOfCircle(db, organizationId, payload.testCircleId);
        return undefined;
      }
      if (type === "organization.deleted") {
        await db.transaction().execute((transaction) => parts.ended.end(transaction, organizationId));
        return undefined;
      }
      if (type === "test.changed") {
        const { testId, enabled } = payload;
        if (enabled !== undefined) await markDisabled(db, { organizationId, testId, disabled: !enabled });
        return undefined;
      }
      const gone = type === "api.deleted" ? [payload.apiId] : payload.testIds;
      await markDeleted(db, organizationId, gone, clock.now());
      if (type === "api.deleted") await deleteExecutionsOfApi(parts, organizationId, payload.apiId);
      else await deleteExecutionsOfTests(parts, organizationId, payload.testIds);
      return undefined;
    },
  };
}
