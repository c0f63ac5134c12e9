import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { deleteExecutionsOfApi, deleteExecutionsOfTests } from "../store/deletions.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/**
 * What is kept of tests goes with them. It goes in batches, each of its own transaction, and there is nothing to mark:
 * hearing it twice, or after half of it was done, deletes what is left.
 */
export function createReceivedEventHandlers({
  db,
}: {
  db: ExecutionDatabase;
}): Pick<Handlers<typeof testExecutionerContract>, "receiveEvent"> {
  return {
    async receiveEvent({ caller: { organizationId }, body: { type, payload } }) {
      if (type === "api.deleted") await deleteExecutionsOfApi(db, organizationId, payload.apiId);
      else await deleteExecutionsOfTests(db, organizationId, payload.testIds);
      return undefined;
    },
  };
}
