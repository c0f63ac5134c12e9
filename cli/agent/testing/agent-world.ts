import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentTask } from "#contracts/test-executioner/agent-work.ts";
import { test as testSchema } from "#contracts/test-registry/tests.ts";
import { createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { seal } from "#libraries/agent-keys/sealed.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import { HeldOccurrences } from "../held-occurrences.ts";
import { createLog } from "../log.ts";
import { OccurrenceStarter } from "../occurrence-starter.ts";
import { Plan } from "../plan.ts";

export const uuid = (last: number) => `0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e1${last}`;
/** Due times of an agent's plan. */
export const first = "2026-06-01T07:00:00.000Z";
export const second = "2026-06-01T07:01:00.000Z";

interface Response {
  status: number;
  body: string;
}

/** An API that the test answers for, and agents that start circles of its plan without a portal. */
export async function createAgentWorld() {
  const judging = createJudging();
  const hiding = createHiding();
  const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
  const keys = await createAgentKeys();
  const folders: string[] = [];
  const urls: string[] = [];
  const cookies: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    urls.push(request.url ?? "");
    cookies.push(request.headers.cookie);
    const { status, body } = world.respond(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json", "set-cookie": `last=${urls.length}` }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function makeTask(number: number, change: object = {}): Promise<AgentTask> {
    const at = "2026-04-17T09:30:00.000Z";
    const sealed = {
      ...{ executionId: uuid(number), expiresAt: new Date(Date.now() + 60_000).toISOString() },
      ...{ captures: [], secretReferences: [], credentials: [], cookies: '{"cookies":[]}' },
    };
    return {
      ...{ executionId: uuid(number), fence: 0, organizationId: uuid(0), variables: {}, baseUrls: [base] },
      test: testSchema.parse({
        ...{ id: uuid(number), apiId: uuid(0), name: "a test", method: "get", path: `/${number}`, request: {} },
        ...{ version: 1, createdAt: at, updatedAt: at },
        assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
        ...change,
      }),
      ...{ isConfirmed: false, hostRules: [], files: [] },
      settings: { verifiedDomainsOnly: false, testTimeoutSeconds: 5, answerKibibytes: 64, judgedMebibytes: 1 },
      sealed: await seal(sealed, getPublicKeys(keys).sealingKey),
    };
  }

  /** An agent with a plan, at a time that the test moves. */
  async function makeAgent(circle: object, { folder = "" } = {}) {
    const own = folder || mkdtempSync(join(tmpdir(), "agent-"));
    if (!folder) folders.push(own);
    const time = { now: Date.parse("2026-06-01T06:59:00.000Z"), answeredAt: Date.parse("2026-06-01T06:59:00.000Z") };
    const calls = {
      now: () => new Date(time.now),
      get answeredAt() {
        return time.answeredAt;
      },
    };
    const clock = { now: () => new Date() };
    const plan = new Plan(own);
    await plan.load();
    const held = new HeldOccurrences(join(own, "occurrences"));
    await held.load();
    const starter = new OccurrenceStarter({
      shared: {
        egress,
        judging,
        hiding,
        clock,
        userAgent: "agent",
        accessTokens: createAccessTokens({ egress, clock }),
      },
      ...{
        keys,
        secrets: { prefix: undefined, find: () => undefined, readVault: undefined },
        log: createLog(true, () => {}),
      },
      ...{ calls, plan, held, concurrency: 4, startAfterMilliseconds: 30_000 },
    });
    if (!folder) {
      const schedule = { scheduleId: uuid(8), testCircleId: uuid(9), moments: [first, second], tag: "a" };
      const given = { order: "sequential", concurrency: null, stopOnFailure: false, generated: [], ...circle };
      await plan.replace({ schedules: [{ ...schedule, circle: given }], operations: {}, leftOut: 0 });
    }
    return {
      ...{ folder: own, plan, held, starter, time },
      async tickAt(moment: string, seconds: number) {
        time.now = Date.parse(moment) + seconds * 1_000;
        starter.tick();
        await starter.whenIdle();
      },
    };
  }

  const world = {
    ...{ base, urls, cookies, makeTask, makeAgent },
    respond: (_url: string): Response => ({ status: 200, body: "{}" }),
    /** After each test. */
    clear() {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
      urls.length = 0;
      cookies.length = 0;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await Promise.all([egress.close(), judging.stop()]);
      hiding.stop();
    },
  };
  return world;
}
