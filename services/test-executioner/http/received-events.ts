import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { deleteSubjects } from "../jobs/due-deletions.ts";
import { forgetCountsOfCircle } from "../store/counts.ts";
import { markDeleted } from "../store/deleted-tests.ts";
import type { DeletionParts } from "../store/deletions.ts";
import { markDisabled } from "../store/disabled-tests.ts";

/** Tests' stored data is deleted with them. A repeated event, or one that was handled in part, deletes the rest. */
export function createReceivedEventHandlers(
  parts: DeletionParts & { clock: Clock; plans: Plans; ended: EndedOrganizations },
): Pick<Handlers<typeof testExecutionerContract>, "receiveEvent"> {
  return {
    async receiveEvent({ caller: { organizationId }, body: { type, payload } }) {
      const { db, clock } = parts;
      if (type === "plan.changed") {
        await parts.plans.store(organizationId, payload);
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
      const subjectIds = type === "api.deleted" ? [payload.apiId] : payload.testIds;
      await markDeleted(db, organizationId, subjectIds, clock.now());
      await deleteSubjects(parts, { organizationId, subjectIds });
      return undefined;
    },
  };
}
