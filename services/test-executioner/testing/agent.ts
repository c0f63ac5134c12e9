import { agentPlan, type OccurrenceOutcome, type ReportedOccurrence } from "#contracts/test-executioner/agent-plans.ts";
import { type AgentResult, type AgentTask, sealedParts } from "#contracts/test-executioner/agent-work.ts";
import { type AgentKeys, createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { openSealed } from "#libraries/agent-keys/sealed.ts";
import { createSigner } from "#libraries/agent-keys/signed-call.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { ExecutionWorld } from "./world.ts";

type Tenant = Awaited<ReturnType<ExecutionWorld["createTenant"]>>;

interface Fetching {
  service: { app: { fetch(request: Request): Response | Promise<Response> } };
}

export const agentVersion = "1.2.3";
const path = (call: string) => `/api/v1/agent-${call}`;

/** What an agent sends and gets, without one: each call as a test wants it. */
export async function registerTestAgent(
  world: Fetching,
  { user }: Pick<Tenant, "user">,
  locationId: string,
  { name = "host", version = agentVersion }: { name?: string; version?: string } = {},
) {
  const keys = await createAgentKeys();
  const { code } = requireValue(await user.createAgentCode({ params: { locationId } }), "a code");
  const body = { code, name, version, ...getPublicKeys(keys) };
  const { agentId } = requireValue(await user.registerAgent({ body }), "an agent");
  return { ...(await connectAs(world, keys, agentId, version)), code, registered: body };
}

async function connectAs({ service }: Fetching, keys: AgentKeys, agentId: string, version: string) {
  const sign = await createSigner(keys.signing, agentId);
  const request = async (call: string, value: unknown, now = new Date()) => {
    const body = JSON.stringify(value);
    const token = await sign({ method: "POST", path: path(call), body }, now);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return new Request(`http://service.internal${path(call)}`, { method: "POST", headers, body });
  };
  const send = async (call: string, value: unknown): Promise<Response> =>
    await service.app.fetch(await request(call, value));
  const post = async (call: string, value: unknown) => {
    const response = await send(call, value);
    const body = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    ...{ agentId, keys, request, send },
    async take(
      options: { max?: number; waitSeconds?: number; held?: object[]; version?: string; readsVault?: boolean } = {},
    ) {
      const value = { version, max: 32, concurrency: 32, held: [], ...options };
      return (await post("work", value)) as { items: AgentTask[]; operations: Record<string, unknown> };
    },
    report: async (items: AgentResult[]) =>
      (await post("results", { items })) as { items: { executionId: string; outcome: string }[] },
    renew: async (value: { held?: object[]; handedBack?: object[] }) =>
      (await post("leases", value)) as { held: string[]; cancelled: string[] },
    plan: async (options: { known?: object[]; held?: object[]; version?: string; runsAll?: boolean } = {}) =>
      agentPlan.parse(await post("plan", { version, ...options })),
    reportOccurrences: async (items: ReportedOccurrence[]) =>
      ((await post("occurrences", { items })) as { items: OccurrenceOutcome[] }).items,
    unseal: async ({ sealed }: AgentTask) => sealedParts.parse(await openSealed(sealed, keys.sealing)),
  };
}

export type TestAgent = Awaited<ReturnType<typeof registerTestAgent>>;

/** A passed result of a task, with a response that an agent could have received. */
export function passedResult(
  { executionId, fence, test, baseUrls }: AgentTask,
  { body = "{}", ...given }: Partial<AgentResult> & { body?: string } = {},
): AgentResult {
  const url = `${baseUrls.find(Boolean)}${test.path}`;
  const now = new Date().toISOString();
  const phases = { blocked: 0, dns: 0, connect: 1, tls: 0, send: 1, wait: 1, receive: 1, total: 4 };
  return {
    ...{ executionId, fence, verdict: "passed", attemptCount: 1, verifications: [], captures: [] },
    attempts: [
      {
        ...{ number: 1, startedAt: now, durationMilliseconds: 4, phases, verdict: "passed" },
        request: { method: test.method, url, headers: [], body: null, bodyBytes: 0 },
        response: {
          ...{ url, status: 200, statusText: "OK", httpVersion: "1.1", headers: [], redirects: [] },
          ...{ body, bodyBytes: body.length, truncated: false },
        },
      },
    ],
    ...{ host: new URL(url).host, statusCode: 200, responseMilliseconds: 4, sendingMilliseconds: 2, finishedAt: now },
    ...given,
  };
}
