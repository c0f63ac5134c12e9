import { z } from "@hono/zod-openapi";
import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import { countTestsByApi, countTestsByOperation } from "../store/counts.ts";
import type { TestDatabase } from "../store/tables.ts";

const identifiers = z.array(z.uuid()).max(200);

/** Comma separated ids of a query. */
function readIdentifiers(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const read = identifiers.safeParse(text === "" ? [] : text.split(","));
  if (read.success) return read.data;
  throw new Problem("malformed_request", undefined, {
    errors: [{ path: "apiIds", message: "Give at most 200 ids, separated by commas" }],
  });
}

export function createCountHandlers(db: TestDatabase): Pick<Handlers<typeof testRegistryContract>, "countTests"> {
  return {
    async countTests({ caller, query }) {
      const named = readIdentifiers(query.apiIds);
      const apiIds = query.apiId === undefined ? named : [...(named ?? []), query.apiId];
      const byApi = await countTestsByApi(db, caller.organizationId, apiIds);
      const byOperation =
        query.apiId === undefined ? [] : await countTestsByOperation(db, caller.organizationId, query.apiId);
      return { byApi, byOperation };
    },
  };
}
