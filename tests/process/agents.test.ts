import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { respondJson, startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { type AgentAtWork, createLocation, createTests, registerAgent } from "../support/agent-at-work.ts";
import { runAssurance } from "../support/command-line.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let backend: PortalBackend;
let target: Target;
let locationId: string;
let testId: string;
const agents: AgentAtWork[] = [];

beforeAll(async () => {
  target = await startTarget(respondJson({ name: "Rex" }));
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "warn" } });
  backend = await signInToBackend(portal);
  locationId = await createLocation(backend, "Berlin");
  [testId = ""] = await createTests(backend, target.baseUrl, 1);
});
afterAll(async () => {
  for (const agent of agents) await agent.stop();
  await portal?.stop();
  await target?.close();
});

async function register(options: Parameters<typeof registerAgent>[3] = {}): Promise<AgentAtWork> {
  const agent = await registerAgent(backend, portal.origin, locationId, options);
  agents.push(agent);
  return agent;
}
const begin = async () =>
  requireValue(await backend.testExecutioner.startRun({ body: { source: { tests: [testId] }, locationId } }), "run").id;
const get = async (runId: string) =>
  requireValue(await backend.testExecutioner.getRun({ params: { runId }, query: {} }), "run");
async function runOnce() {
  const runId = await begin();
  await expect.poll(async () => (await get(runId)).state, { timeout: 60_000 }).toBe("finished");
  return (await get(runId)).members.items[0]!;
}

test("an agent is registered once by its code, runs the tests of its location, and ends cleanly", async () => {
  const agent = await register();
  const file = join(agent.folder, "agent.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await runAssurance([
    "agent",
    "register",
    "--url",
    portal.origin,
    "--code",
    "x",
    "--folder",
    agent.folder,
  ]);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("has an agent of Berlin")]);
  const wrong = await runAssurance([
    "agent",
    "register",
    "--url",
    portal.origin,
    "--code",
    "x",
    "--folder",
    `${agent.folder}/2`,
  ]);
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining("unknown, used up or older than an hour")]);
  const program = agent.start([], [target.host]);
  await program.says(/agent \S+ of Berlin started/);
  const before = target.requests.length;
  expect(await runOnce()).toMatchObject({ verdict: "passed", statusCode: 200, locationId });
  expect(target.requests.length).toBe(before + 1);
  expect(target.requests.at(-1)!.headers["user-agent"]).toMatch(/^api-assurance-agent\//);
  const { agentId } = agent;
  const seen = requireValue(await backend.testExecutioner.getAgent({ params: { agentId } }), "agent");
  expect(seen).toMatchObject({ state: "active", concurrency: 32, refused: 0 });
  program.process.kill("SIGTERM");
  expect(await program.ended).toBe(0);
  const secret = JSON.parse(readFileSync(file, "utf8")).keys.signing.d as string;
  expect(program.output()).not.toContain(secret);
});

test("G07: an agent without targets of its own reaches public addresses only, whatever the portal asks for", async () => {
  const agent = await register();
  const program = agent.start();
  const before = target.connections;
  expect(await runOnce()).toMatchObject({ verdict: "blocked" });
  expect(target.connections).toBe(before);
  await program.kill();
});

test("G06: a revoked agent ends by itself, and says so", async () => {
  const agent = await register();
  const program = agent.start([], [target.host]);
  expect(await runOnce()).toMatchObject({ verdict: "passed" });
  requireValue(await backend.testExecutioner.revokeAgent({ params: { agentId: agent.agentId } }), "revoke");
  expect(await program.ended).toBe(4);
  expect(program.output()).toContain("The portal refuses this agent");
});

test("an agent's calls go through the proxy of the environment, and its tests do not", async () => {
  const tunnels: string[] = [];
  const proxy = createServer((request, response) => {
    tunnels.push(request.url ?? "");
    const { pathname, search } = new URL(request.url ?? "");
    const { method, headers } = request;
    const forwarded = send(portal.origin + pathname + search, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.on("connect", ({ url = "" }, socket) => {
    tunnels.push(url);
    const onward = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    const agent = await register({ environment: { HTTP_PROXY: address, HTTPS_PROXY: address } });
    const program = agent.start([], [target.host]);
    expect(await runOnce()).toMatchObject({ verdict: "passed" });
    expect(tunnels.length).toBeGreaterThan(1);
    expect(tunnels.filter((url) => url.includes(target.host))).toEqual([]);
    await program.kill();
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("an address that is not encrypted is refused unless it is of this machine", async () => {
  const given = ["agent", "register", "--url", "http://portal.example.com", "--code", "x", "--folder", "/nonexistent"];
  const { code, stderr } = await runAssurance(given);
  expect([code, stderr]).toEqual([3, expect.stringContaining("not encrypted")]);
});

test("what SIGTERM interrupts is handed back, and runs with the next agent", async () => {
  const held = target.hold();
  const first = await register();
  const program = first.start([], [target.host]);
  const runId = await begin();
  await expect.poll(() => held.waiting.length, { timeout: 60_000 }).toBe(1);
  program.process.kill("SIGTERM");
  const second = await register();
  second.start([], [target.host]);
  held.letGo();
  expect(await program.ended).toBe(0);
  await expect.poll(async () => (await get(runId)).state, { timeout: 60_000 }).toBe("finished");
  expect(await get(runId)).toMatchObject({ verdict: "passed", counts: { passed: 1 } });
  expect(existsSync(join(first.folder, "results"))).toBe(true);
  expect(readdirSync(join(first.folder, "results"))).toEqual([]);
});
