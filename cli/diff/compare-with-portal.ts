import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { z } from "zod";
import type { compareDocument, OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { readReferredFiles } from "../document/local-files.ts";
import { isAddress } from "../document/open-egress.ts";
import type { Connection } from "../portal/connection.ts";
import { toName } from "./found-change.ts";
import type { Touched } from "./touched.ts";

export type PortalComparison = z.output<NonNullable<typeof compareDocument.response>>;

/** Compares a document with the registered version of an API. The portal stores nothing of it. */
export async function compareWithPortal(
  connection: Connection,
  apiId: string,
  source: string,
): Promise<PortalComparison> {
  return await connection.call<PortalComparison>("api-registry", `/api/v1/apis/${apiId}/documents/compare`, {
    body: { source: await toSource(source) },
    onlyReads: true,
  });
}

/** The portal reads an address itself. */
async function toSource(source: string) {
  if (isAddress(source)) return { url: source };
  const bytes = await readFile(source);
  const toText = (content: Uint8Array) => new TextDecoder().decode(content);
  const files = [...(await readReferredFiles(source, bytes))].map(
    ([name, content]) => [name, toText(content)] as const,
  );
  return { document: toText(bytes), fileName: basename(source), files: Object.fromEntries(files) };
}

/** Tests that break, and the circles, schedules and alert rules which they belong to, by name. */
export async function findTouched(
  connection: Connection,
  api: { id: string; name: string },
  { added, changed, removed, lives, baseUrls }: PortalComparison,
): Promise<Touched> {
  const operations = [...removed, ...changed, ...added].filter(({ kind }) => kind === "operation");
  const notes = [
    ...(lives?.items ?? []).flatMap(({ steps }) => steps.map(({ sentence }) => sentence)),
    ...(lives?.moreCount ? [`The lives of ${lives.moreCount} more resources change.`] : []),
    ...baseUrls.filter(({ before, after }) => before !== after).map(describeBaseUrl),
  ];
  const nothing = { tests: [], otherTests: 0, circles: [], alertRules: [], notes };
  if (operations.some(({ tests }) => !tests)) {
    return { ...nothing, unknown: "the token may not read tests, or they are not available now" };
  }
  const found = toTests(operations);
  const total = operations.reduce((sum, { tests }) => sum + (tests?.total ?? 0), 0);
  const circles = new Map(found.flatMap((test) => test.circles.map((circle) => [circle.id, circle] as const)));
  const [schedules, alertRules] = await Promise.all([
    Promise.all([...circles.values()].map(async (circle) => await listSchedules(connection, circle))),
    found.length > 0 ? describeAlertRules(connection, api, circles) : [],
  ]);
  return {
    tests: found.map(({ circles: _, ...test }) => test),
    otherTests: total - found.length,
    circles: [...circles.values()].map(({ id, name }, index) => ({ id, name, schedules: schedules[index]! })),
    ...{ alertRules, notes },
  };
}

function toTests(operations: readonly OperationChange[]) {
  return operations.flatMap((operation) =>
    (operation.tests?.items ?? []).flatMap(({ id, name, effects = [], circles = [] }) => {
      const sentences = effects.map(({ part, position, sentence }) =>
        position === undefined ? sentence : `${part} ${position}: ${sentence}`,
      );
      return sentences.length > 0 ? [{ id, name, operation: toName(operation), effects: sentences, circles }] : [];
    }),
  );
}

function describeBaseUrl({ environment, before, after }: PortalComparison["baseUrls"][number]): string {
  const of = environment === null ? "the API" : `the environment ${environment}`;
  return `The base URL of ${of} changes from ${before} to ${after}, so that requests stay the same.`;
}

async function listSchedules(connection: Connection, circle: { id: string; schedules: number }): Promise<string[]> {
  if (circle.schedules === 0) return [];
  const query = { testCircleId: circle.id, enabled: "true" };
  const found = await connection.all<Schedule>("test-registry", "/api/v1/schedules", query);
  return found.map(({ name, cron, everySeconds }) => name || cron || `every ${everySeconds} seconds`);
}

/** The rule of a circle precedes that of the API, which precedes the organization's. */
async function describeAlertRules(
  connection: Connection,
  api: { id: string; name: string },
  circles: ReadonlyMap<string, { name: string }>,
): Promise<string[]> {
  const [rules, channels] = await Promise.all([
    connection.all<AlertRule>("test-analyzer", "/api/v1/alert-rules"),
    connection.all<AlertChannel>("test-analyzer", "/api/v1/alert-channels"),
  ]);
  const ofApi = rules.filter(({ scope }) => scope.kind === "api" && scope.apiId === api.id);
  const isOfCircle = ({ scope }: AlertRule) => scope.kind === "circle" && circles.has(scope.testCircleId);
  const wider = ofApi.length > 0 ? ofApi : rules.filter(({ scope }) => scope.kind === "organization");
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return [...rules.filter(isOfCircle), ...wider].map(({ scope, channelIds }) => {
    const notified = channelIds.flatMap((id) => names.get(id) ?? []);
    const of =
      scope.kind === "circle"
        ? `the circle ${circles.get(scope.testCircleId)!.name}`
        : scope.kind === "api"
          ? `the API ${api.name}`
          : "the organization";
    return `of ${of}, to ${notified.length > 0 ? new Intl.ListFormat("en").format(notified) : "no channel"}`;
  });
}
