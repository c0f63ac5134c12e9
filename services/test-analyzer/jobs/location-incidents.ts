import type { z } from "@hono/zod-openapi";
import type { locationWatched } from "#contracts/test-executioner/events.ts";
import { listScopes } from "../domain/incident/rule-in-force.ts";
import { takeTurn } from "../store/incident-changes.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import { findOpenIncident } from "../store/untested-incidents.ts";
import type { UntestedIncidents } from "./untested-incidents.ts";

type Watched = z.infer<typeof locationWatched>;
type Silent = NonNullable<Watched["payload"]["silent"]>;

/** Opens and resolves the incidents of locations whose agents do not call: one each, whatever is sent from there. */
export function createLocationIncidents(incidents: UntestedIncidents) {
  function describe({ locationId, locationName }: Watched["payload"], silent: Silent) {
    const { hasCalled, apiIds, testCircleIds, since } = silent;
    return {
      fingerprint: `location ${locationId}`,
      cause: { kind: "location" as const, locationId, hasCalled, apiIds, testCircleIds },
      title: hasCalled ? `No agent of ${locationName} calls` : `No agent of ${locationName} has called yet`,
      reason: `Tests that are sent from ${locationName} are not run. None has failed for it.`,
      since: new Date(since),
      apiId: apiIds[0]!,
    };
  }

  return {
    async hear(transaction: AnalyzerTransaction, { organizationId, payload }: Watched): Promise<void> {
      await takeTurn(transaction, organizationId);
      const open = await findOpenIncident(transaction, organizationId, `location ${payload.locationId}`);
      const { silent, ending } = payload;
      if (!silent)
        return await incidents.resolve(transaction, organizationId, open ? [open.id] : [], { ending, by: null });
      if (open) return;
      const opened = describe(payload, silent);
      await incidents.open(transaction, organizationId, opened, listScopes(opened.cause));
    },
  };
}

export type LocationIncidents = ReturnType<typeof createLocationIncidents>;
