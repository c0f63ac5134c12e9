import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { available } from "~/backend/responses";
import { findRecoveringTests } from "~/features/recoveries/recovering-tests.server";
import type { Viewer } from "~/session/guards";
import { findApisById, type NamedFailingTest, nameApis } from "./failing-tests.server";
import { groupByIncident } from "./group-by-incident";

const maxRead = 50;
const maxIncidents = 5;
const maxTestsOfIncident = 3;
const maxOthers = 5;

/** An open incident with the first of the tests that it causes to fail. */
export interface FailingIncident {
  incident: IncidentSummary;
  tests: NamedFailingTest[];
}

/** What fails now, by cause: the open incidents with their tests, most severe first, then failing tests without one. */
export async function findFailingNow({ backend }: Viewer) {
  const [failing, recovering, open] = await Promise.all([
    backend.testExecutioner.listFailingTests({ query: { limit: maxRead } }).then(available),
    findRecoveringTests(backend),
    backend.testAnalyzer
      .listIncidents({ query: { state: "unresolved", sort: "severity", limit: maxRead } })
      .then(available),
  ]);
  const items = failing?.items ?? [];
  const apis = await findApisById(
    backend,
    [...items, ...recovering].map(({ apiId }) => apiId),
  );
  const grouped = groupByIncident(open?.items ?? [], nameApis(items, recovering, apis));
  return {
    /** Of APIs that fail, at most 200; undefined while unknown. */
    apiIds: failing && [...new Set([...failing.byApi, ...recovering].map(({ apiId }) => apiId))].slice(0, 200),
    incidents: grouped.incidents
      .slice(0, maxIncidents)
      .map(({ incident, tests }): FailingIncident => ({ incident, tests: tests.slice(0, maxTestsOfIncident) })),
    others: grouped.others.slice(0, maxOthers),
    otherCount: grouped.others.length,
    /** Undefined while unknown. */
    failingCount: failing && (failing.total ?? items.length) + recovering.length,
    incidentCount: open && (open.total ?? open.items.length),
  };
}

export type FailingNow = Awaited<ReturnType<typeof findFailingNow>>;
