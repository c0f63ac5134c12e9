import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { rankOperations } from "../domain/operation-rank.ts";
import { findShift } from "../domain/response-time-shift.ts";
import {
  countOutcomes,
  countSteps,
  countSubjects,
  listHourlyMedians,
  listOperationTrends,
  listOperationVerdicts,
} from "../store/count-reads.ts";
import { countPlaces } from "../store/place-counts.ts";
import { findPlaceStandings } from "../store/place-standings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Creates the handlers that return sums of executions to other services. */
export function createCountHandlers(
  db: ExecutionDatabase,
): Pick<
  Handlers<typeof testExecutionerContract>,
  | "countExecutions"
  | "countOutcomes"
  | "countSubjects"
  | "countPlaces"
  | "findResponseTimeShift"
  | "rankOperations"
  | "listOperationVerdicts"
> {
  return {
    async countExecutions({ caller: { organizationId }, body }) {
      return await countSteps(db, { organizationId, ...body, subjectId: body.subjectId ?? organizationId });
    },
    async countPlaces({ caller: { organizationId }, body }) {
      const [places, getLast] = await Promise.all([
        countPlaces(db, { organizationId, ...body }),
        findPlaceStandings(db, { organizationId, testCircleId: body.subjectId }),
      ]);
      return { places: places.map((place) => ({ ...place, last: getLast(place.locationId) })) };
    },
    async countOutcomes({ caller: { organizationId }, body }) {
      return { items: await countOutcomes(db, { organizationId, ...body }) };
    },
    async countSubjects({ caller: { organizationId }, body }) {
      return { items: await countSubjects(db, { organizationId, ...body }) };
    },
    async findResponseTimeShift({ caller: { organizationId }, params, query }) {
      const medians = await listHourlyMedians(db, { organizationId, subjectId: params.testId, ...query });
      return { shift: findShift(medians) };
    },
    async rankOperations({ caller: { organizationId }, query }) {
      const from = new Date(query.from);
      return rankOperations(await listOperationTrends(db, { organizationId, apiId: query.apiId, from }));
    },
    async listOperationVerdicts({ caller, params, body }) {
      return { items: await listOperationVerdicts(db, caller.organizationId, params.apiId, body.operations) };
    },
  };
}
