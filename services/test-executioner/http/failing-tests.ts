import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listFailingTests } from "../store/failing-tests.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export function createFailingTestHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "listFailingTests"> {
  return {
    async listFailingTests({ caller, query }) {
      return await listFailingTests(db, caller.organizationId, query);
    },
  };
}
