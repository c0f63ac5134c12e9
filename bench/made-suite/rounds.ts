import { setTimeout as pause } from "node:timers/promises";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import type { PortalBackend } from "./measured-server.ts";

/** An execution of a run, with a name that the same member has in every round. */
export interface Member extends RunMember {
  key: string;
}

const pollMilliseconds = 100;
const quietMilliseconds = 1_000;

/** Reads a list to its end. */
export async function readAll<Item>(
  page: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const next = await page(cursor);
    items.push(...next.items);
    cursor = next.nextCursor ?? undefined;
  } while (cursor);
  return items;
}

async function listRuns({ testExecutioner }: PortalBackend, apiId: string): Promise<RunSummary[]> {
  return await readAll(async (cursor) =>
    requireValue(await testExecutioner.listRuns({ query: { apiId, limit: 200, cursor } }), "listing runs"),
  );
}

const isOver = ({ state }: Pick<RunSummary, "state">) => state === "finished" || state === "cancelled";

/** All runs of an API once they have ended and none has been added for a moment. */
export async function awaitRuns(backend: PortalBackend, apiId: string): Promise<RunSummary[]> {
  let quietSince = performance.now();
  let count = -1;
  for (;;) {
    const runs = await listRuns(backend, apiId);
    if (runs.length !== count || !runs.every(isOver)) quietSince = performance.now();
    count = runs.length;
    if (performance.now() - quietSince >= quietMilliseconds) return runs;
    await pause(pollMilliseconds);
  }
}

/** Starts the circles of an API, and its tests outside of them that ran before; returns when all have ended. */
export async function repeatRuns(backend: PortalBackend, circleIds: string[], testIds: string[]): Promise<string[]> {
  const { startRun } = toTheEnd(backend.testExecutioner);
  const sources = [
    ...circleIds.map((testCircleId) => ({ testCircleId })),
    ...(testIds.length > 0 ? [{ tests: testIds }] : []),
  ];
  return await Promise.all(
    sources.map(async (source) => requireValue(await startRun({ body: { source } }), "starting a run").id),
  );
}

/** The members of a run in their order. */
export async function readMembers(backend: PortalBackend, runId: string): Promise<Member[]> {
  let origin = "tests";
  const members = await readAll(async (cursor) => {
    const params = { runId };
    const run = requireValue(await backend.testExecutioner.getRun({ params, query: { limit: 200, cursor } }), "a run");
    if (run.source.kind === "circle") origin = `circle ${run.source.testCircleId}`;
    return run.members;
  });
  return members.map((member) => ({
    ...member,
    key: origin === "tests" ? `${member.testId} ${member.row ?? ""}` : `${origin} ${member.position}`,
  }));
}
