import { createHash } from "node:crypto";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { maxGenerated, maxPlannedMembers, plannedSeconds } from "#contracts/test-executioner/agent-limits.ts";
import type { PlannedCircle, PlannedSchedule } from "#contracts/test-executioner/agent-plans.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { UpcomingSchedule } from "#contracts/test-registry/upcoming-occurrences.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { isCookieJar } from "../domain/cookie-jar.ts";
import { withNamesOfRow } from "../domain/given-values.ts";
import { handsOn } from "../domain/handing-on.ts";
import { chooseAgent } from "../domain/shared-schedules.ts";
import type { RequireApi } from "../http/apis.ts";
import type { PrepareScheduled } from "../http/scheduled-starts.ts";
import type { AgentAt } from "../store/agent-claims.ts";
import { listHeldByOthers, listSharing } from "../store/agent-schedules.ts";
import type { NewRun } from "../store/runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { type HandingParts, handOver } from "./agent-tasks.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface PlanningParts {
  db: ExecutionDatabase;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
  requireApi: RequireApi;
  /** For circles that are prepared together. */
  startPlanning(): PrepareScheduled;
  handing: HandingParts;
}

export interface Planning {
  at: AgentAt;
  sealingKey: string;
  readsVault: boolean;
  runsAll: boolean;
  /** Tags of circles that the agent has, by schedule. */
  known: ReadonlyMap<string, string>;
  requestId: string;
}

export interface Plan {
  schedules: { upcoming: UpcomingSchedule; planned: PlannedSchedule }[];
  operations: Record<string, OperationWithComponents>;
  leftOut: number;
}

/** Circles are sent again after this time, before their secrets expire. */
const tagMilliseconds = 300_000;
/** Of one response; what exceeds it comes with the next. */
const maxCharacters = 8 * 1_048_576;
/** Sealing takes a thread each. */
const preparedTogether = 16;

/**
 * What an agent starts while the portal is away: circles that are sent from its location only, each assigned to one of its
 * agents.
 */
export async function planForAgent(parts: PlanningParts, planning: Planning): Promise<Plan> {
  const upcoming = await listOwn(parts, planning);
  const prepareScheduled = parts.startPlanning();
  const plan: Plan = { schedules: [], operations: {}, leftOut: 0 };
  const left = { members: maxPlannedMembers, characters: maxCharacters };
  for (let first = 0; first < upcoming.length; first += preparedTogether) {
    const together = upcoming.slice(first, first + preparedTogether);
    const prepared = await Promise.all(
      together.map((one) =>
        prepareScheduled({ ...one, organizationId: planning.at.organizationId }, planning.requestId),
      ),
    );
    for (const [index, one] of together.entries()) {
      const start = prepared[index];
      const run = start && "run" in start && isPlannable(start.run, planning) ? start.run : undefined;
      const circle = run && (await planCircle(parts, planning, one, run, left));
      if (!circle) plan.leftOut += 1;
      else {
        Object.assign(plan.operations, circle.operations);
        plan.schedules.push({ upcoming: one, planned: circle.planned });
      }
    }
  }
  return plan;
}

/** Schedules of circles that are sent from the agent's location, of which it starts this one and no other. */
async function listOwn({ db, handing, ...parts }: PlanningParts, { at, requestId }: Planning) {
  const { organizationId, locationId, agentId } = at;
  const registry = parts.testRegistry({ token: await parts.serviceToken(organizationId), requestId });
  const { items } = requireValue(
    await registry.listUpcomingOccurrences({ query: { locationId } }),
    "upcoming occurrences",
  );
  if (items.length === 0) return [];
  const now = handing.clock.now();
  const sharing = await listSharing(db, at, now);
  const others = await listHeldByOthers(db, at, now);
  const own: UpcomingSchedule[] = [];
  for (const item of items) {
    if (chooseAgent(item.testCircleId, sharing) !== agentId || others.has(item.scheduleId)) continue;
    if (item.locationId === locationId || (await isSentFrom(parts.requireApi, item, at, requestId))) own.push(item);
  }
  return own;
}

/** By the environments of its APIs. */
async function isSentFrom(
  requireApi: RequireApi,
  { apis }: UpcomingSchedule,
  { organizationId, locationId }: AgentAt,
  requestId: string,
): Promise<boolean> {
  for (const { apiId, environment } of apis) {
    if (environment === null) continue;
    const api = await requireApi({ organizationId, requestId }, apiId).catch(() => undefined);
    if (api?.environments.some((one) => one.name === environment && one.locationId === locationId)) return true;
  }
  return false;
}

/** What an agent can run alone: from one place, without a secret that is unique to each run. */
function isPlannable(run: NewRun, { at: { locationId }, runsAll }: Planning): boolean {
  const { executions, seriesSize, surroundings, captures } = run;
  if (seriesSize !== null || surroundings.places) return false;
  if (captures[0]!.some(({ isSecret, position }) => isSecret && position !== undefined)) return false;
  const generated = listGenerated(run);
  if (generated.some(({ text }) => text.length > maxGenerated.characters / growth)) return false;
  if (!runsAll && (surroundings.onlyOwn || generated.length > 0)) return false;
  return executions.every(
    (execution) => execution.locationId === locationId && (runsAll || execution.phase === "main"),
  );
}

/** `{{$uuid}}` is filled in by four times as many characters, and no other placeholder by more. */
const growth = 4;

/** Variables that each run fills in. */
function listGenerated({ captures, surroundings: { variables } }: NewRun): PlannedCircle["generated"] {
  return captures[0]!.flatMap((capture) =>
    capture.isSecret || isCookieJar(capture) ? [] : [{ name: capture.name, text: variables[capture.name] ?? "" }],
  );
}

async function planCircle(
  { handing }: PlanningParts,
  planning: Planning,
  { scheduleId, testCircleId, moments }: UpcomingSchedule,
  run: NewRun,
  left: { members: number; characters: number },
): Promise<{ planned: PlannedSchedule; operations: Plan["operations"] } | undefined> {
  const operations: Plan["operations"] = {};
  const tag = createTag(run, planning, scheduleId, handing.clock.now());
  const planned = { scheduleId, testCircleId, moments, tag };
  if (left.members < run.executions.length) return undefined;
  left.members -= run.executions.length;
  if (planning.known.get(scheduleId) === tag) return { planned, operations };
  const members = left.characters > 0 ? await handOverAll(handing, run, planning, operations) : undefined;
  if (!members) return undefined;
  left.characters -= JSON.stringify([members, operations]).length;
  const circle: PlannedCircle = {
    ...{ order: run.order, concurrency: run.concurrency, stopOnFailure: run.stopOnFailure },
    ...{ generated: listGenerated(run), members },
  };
  return { planned: { ...planned, circle }, operations };
}

/** Of everything that its tasks contain, and of how long ago they were sealed. */
function createTag(
  { surroundings, order, concurrency, stopOnFailure, executions }: NewRun,
  { readsVault }: Planning,
  id: string,
  now: Date,
) {
  // Not all circles at the same time.
  const shift = Number.parseInt(id.replaceAll("-", "").slice(-6), 16) % tagMilliseconds;
  const period = Math.floor((now.getTime() + shift) / tagMilliseconds);
  const tests = executions.map(({ test, rowIndex, phase }) => [test.id, test.version, rowIndex, phase]);
  const content = [surroundings, order, concurrency, stopOnFailure, tests, period, readsVault];
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

/** Undefined if one of them can't be prepared before those ahead of it have run. */
async function handOverAll(
  handing: HandingParts,
  run: NewRun,
  { sealingKey, readsVault }: Planning,
  operations: Plan["operations"],
): Promise<PlannedCircle["members"] | undefined> {
  const tasks: PlannedCircle["members"] = [];
  const expected = new Set(listGenerated(run).map(({ name }) => name));
  for (const [index, { test, rowIndex, phase }] of run.executions.entries()) {
    const options = { seconds: plannedSeconds, expected: [...expected], readsVault };
    const handed = await handOver(handing, toTask(run, index), sealingKey, options);
    if ("result" in handed) return undefined;
    tasks.push({ ...handed.task, traceId: undefined, phase });
    if (handed.task.operation && handed.operation) operations[handed.task.operation] = handed.operation;
    if (!handsOn(run, phase)) continue;
    for (const { name } of withNamesOfRow(test, rowIndex).captures) expected.add(name);
  }
  return tasks;
}

/** As if its run were stored, and it were claimed. */
function toTask(run: NewRun, index: number): ExecutionTask {
  const { id, phase, test, rowIndex, reserves } = run.executions[index]!;
  const { surroundings, order, concurrency, stopOnFailure, executions, seriesSize, trigger } = run;
  return {
    execution: {
      ...{ id, organization_id: run.organizationId, run_id: run.id, position: index + 1, phase },
      ...{ test_id: test.id, test_version: test.version, test_name: test.name, api_id: test.apiId },
      ...{ method: test.method, path: test.path, row_index: rowIndex, trigger, reserves },
      ...{ fencing_token: 0, claims: 0 },
    },
    test,
    run: { order, concurrency, stopOnFailure, executions: executions.length, seriesSize, ...surroundings },
    api: surroundings.apis.find(({ apiId }) => apiId === test.apiId)!,
    captures: run.captures[0]!,
  };
}
