import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findRun } from "../store/run-list.ts";
import { listPlaceResults } from "../store/run-place-results.ts";
import { parseSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export function createRunPlaceHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "listRunPlaces"> {
  return {
    async listRunPlaces({ caller: { organizationId }, params: { runId } }) {
      const run = await findRun(db, organizationId, runId);
      if (!run) throw notFound("run");
      const { places } = parseSurroundings(run.surroundings);
      const isOfSeveral = places && places.turn === undefined;
      return { items: isOfSeveral ? await listPlaceResults(db, { organizationId, runId }, places.ids) : [] };
    },
  };
}
