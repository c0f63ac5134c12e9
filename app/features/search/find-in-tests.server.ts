import type { FoundCircles, FoundTests } from "#contracts/test-registry/search.ts";
import { circleAddress } from "~/features/circles/circle-addresses";
import { stateWords } from "~/features/incidents/incident-words";
import { getStatus, type Status } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { runsOf } from "./find-runs.server";
import type { Group } from "./found";
import type { Search } from "./search";

/** Tests and circles, the open incidents of these tests, and schedules. */
export async function findInTests(search: Search): Promise<Group[]> {
  const { viewer, query, limit } = search;
  const { testRegistry } = viewer.backend;
  if (!viewer.may("tests:read")) return [];
  const [found, schedules] = await Promise.all([
    testRegistry.searchTests({ query: { query, limit } }),
    testRegistry.listSchedules({ query: { query, limit } }),
  ]);
  const scheduleGroups: Group[] = schedules.ok
    ? [
        {
          kind: "schedules",
          total: schedules.value.items.length,
          hasMore: schedules.value.nextCursor !== null,
          hits: schedules.value.items.map(({ apiIds, name, testCircleId, testCircleName }) => ({
            href: circleAddress({ id: testCircleId, apiIds }),
            name: name ?? testCircleName,
            what: name ? `Schedule of ${testCircleName}` : "Schedule",
          })),
        },
      ]
    : [];
  if (!found.ok) return scheduleGroups;
  const { tests, testCircles } = found.value;
  const [names, incidents, ofTests, ofCircles] = await Promise.all([
    findApiNames(search, tests),
    findIncidents(search, tests),
    findStatusesOfTests(search, tests),
    findStatusesOfCircles(search, testCircles),
  ]);
  return [
    {
      kind: "tests",
      ...tests,
      hits: tests.items.map(({ id, apiId, name, method, path, enabled }) => ({
        href: href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id }),
        name,
        what: `${method.toUpperCase()} ${path}${enabled ? "" : ", disabled"}`,
        where: names.get(apiId),
        status: ofTests && (ofTests.get(id) ?? null),
      })),
    },
    {
      kind: "circles",
      ...testCircles,
      hits: testCircles.items.map((circle) => ({
        href: circleAddress(circle),
        name: circle.name,
        what: circle.description || undefined,
        status: ofCircles && (ofCircles.get(circle.id) ?? null),
      })),
    },
    runsOf({ tests, testCircles, limit }),
    ...incidents,
    ...scheduleGroups,
  ];
}

async function findApiNames({ viewer }: Search, { items }: FoundTests): Promise<Map<string, string>> {
  const ids = [...new Set(items.map(({ apiId }) => apiId))].join(",");
  if (!ids || !viewer.may("apis:read")) return new Map();
  const apis = await viewer.backend.apiRegistry.listApis({ query: { ids, limit: 200 } });
  return new Map(apis.ok ? apis.value.items.map(({ id, name }) => [id, name]) : []);
}

async function findIncidents({ viewer, limit }: Search, { items }: FoundTests): Promise<Group[]> {
  const testIds = items.map(({ id }) => id).join(",");
  if (!testIds) return [];
  const query = { testIds, limit, state: "unresolved", sort: "severity" } as const;
  const found = await viewer.backend.testAnalyzer.listIncidents({ query });
  if (!found.ok) return [];
  return [
    {
      kind: "incidents",
      total: found.value.items.length,
      hasMore: found.value.nextCursor !== null,
      hits: found.value.items.map(({ id, title, state, reason }) => ({
        href: href("/test-management/incidents/:incidentId", { incidentId: id }),
        name: title,
        what: [stateWords[state].word, reason].filter(Boolean).join(": "),
      })),
    },
  ];
}

type Statuses = Map<string, Status> | undefined;

async function findStatusesOfTests({ viewer, withStatus }: Search, { items }: FoundTests): Promise<Statuses> {
  if (!withStatus || items.length === 0) return undefined;
  const query = { testIds: items.map(({ id }) => id).join(",") };
  const latest = await viewer.backend.testExecutioner.listLatestExecutions({ query });
  return latest.ok ? new Map(latest.value.items.map((one) => [one.testId, getStatus(one)])) : undefined;
}

async function findStatusesOfCircles({ viewer, withStatus }: Search, { items }: FoundCircles): Promise<Statuses> {
  if (!withStatus || items.length === 0) return undefined;
  const query = { testCircleIds: items.map(({ id }) => id).join(",") };
  const statuses = await viewer.backend.testExecutioner.listCircleStandings({ query });
  return statuses.ok
    ? new Map(statuses.value.items.map(({ testCircleId, lastRun }) => [testCircleId, getStatus(lastRun)]))
    : undefined;
}
