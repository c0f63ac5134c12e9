import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgentResult, AgentTask, SealedParts } from "#contracts/test-executioner/agent-work.ts";
import { test as testSchema } from "#contracts/test-registry/tests.ts";
import { type AgentKeys, createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { seal } from "#libraries/agent-keys/sealed.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import { startVaultServer } from "#libraries/vault-kv/testing/vault-server.ts";
import type { VaultSource } from "#libraries/vault-kv/vault-kv.ts";
import { parseAllowed } from "./allowed-targets.ts";
import { createLog } from "./log.ts";
import { createReadVault, parseVault } from "./own-vault.ts";
import { TaskRunner } from "./task-runner.ts";

const id = "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10";
const judging = createJudging();
const hiding = createHiding();
let keys: AgentKeys;
/** What the agent's owner allows, and a canary beside it that it does not. */
let inside: Awaited<ReturnType<typeof listen>>;
let canary: Awaited<ReturnType<typeof listen>>;

async function listen(respond: (url: string) => { status: number; headers?: Record<string, string>; body: string }) {
  const urls: string[] = [];
  const headers: Record<string, unknown>[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    urls.push(request.url ?? "");
    headers.push(request.headers);
    const given = respond(request.url ?? "");
    response.writeHead(given.status, { "content-type": "application/json", ...given.headers }).end(given.body);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { port, base: `http://127.0.0.1:${port}`, urls, headers, connections: () => connections, close };
}

beforeAll(async () => {
  keys = await createAgentKeys();
  canary = await listen(() => ({ status: 200, body: '{"canary":true}' }));
  inside = await listen((url) => {
    if (url.startsWith("/redirect")) return { status: 302, headers: { location: `${canary.base}/` }, body: "" };
    return { status: 200, body: JSON.stringify({ url }) };
  });
});
afterAll(async () => {
  await Promise.all([inside.close(), canary.close(), judging.stop()]);
  hiding.stop();
});

async function makeTask(
  change: Partial<AgentTask> & { sealed?: never } = {},
  secrets: Partial<SealedParts> = {},
  sealedFor = keys,
) {
  const parts: SealedParts = {
    ...{ executionId: id, expiresAt: new Date(Date.now() + 60_000).toISOString() },
    ...{ captures: [], secretReferences: [], credentials: [], ...secrets },
  };
  const at = "2026-04-17T09:30:00.000Z";
  const stored = testSchema.parse({
    ...{
      id,
      apiId: id,
      name: "a test",
      method: "get",
      path: "/",
      request: {},
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
  });
  return {
    ...{ executionId: id, fence: 1, organizationId: id, test: stored, variables: {}, baseUrls: [inside.base] },
    ...{ isConfirmed: true, hostRules: [], files: [] },
    settings: { verifiedDomainsOnly: false, testTimeoutSeconds: 5, answerKibibytes: 64, judgedMebibytes: 1 },
    ...change,
    sealed: await seal(parts, getPublicKeys(sealedFor).sealingKey),
  } satisfies AgentTask;
}

/** Runs it as an agent whose owner allows these targets. */
async function run(
  task: AgentTask,
  allow: string[] = [`127.0.0.1:${inside.port}`],
  vault?: VaultSource,
): Promise<AgentResult> {
  const { targets, onlyListed } = parseAllowed(allow);
  const egress = createEgress({ policy: { allow: targets, allowLoopback: false, onlyListed, ownTargets: [] } });
  const clock = { now: () => new Date() };
  const readVault = createReadVault(vault, egress);
  const secrets = { prefix: "ASSURANCE_SECRET_", find: (name: string) => process.env[name], readVault };
  try {
    return await new Promise<AgentResult>((resolve) => {
      const shared = {
        egress,
        judging,
        hiding,
        clock,
        userAgent: "agent",
        accessTokens: createAccessTokens({ egress, clock }),
      };
      const runner = new TaskRunner({ shared, keys, secrets, log: createLog(true, () => {}), onResult: resolve });
      runner.start(task, {});
    });
  } finally {
    await egress.close();
  }
}

const withRequest = async (request: object, change: Partial<AgentTask> = {}, secrets: Partial<SealedParts> = {}) => {
  const task = await makeTask(change as never, secrets);
  return { ...task, test: testSchema.parse({ ...task.test, request }) };
};

test("a task is run by the engine of the portal", async () => {
  const result = await run(await makeTask());
  expect(result).toMatchObject({ executionId: id, fence: 1, verdict: "passed", statusCode: 200, attemptCount: 1 });
});

test("G07: a hostile portal reaches nothing beyond what the agent's owner allows", async () => {
  const before = canary.connections();
  const metadata = "http://169.254.169.254";
  const targets = [
    canary.base,
    `http://localhost:${canary.port}`,
    `http://[::ffff:127.0.0.1]:${canary.port}`,
    `http://0x7f000001:${canary.port}`,
    metadata,
  ];
  for (const url of targets) {
    expect(await run(await makeTask({ baseUrls: [url] })), url).toMatchObject({
      verdict: "blocked",
      cause: { code: "target_not_allowed" },
    });
  }
  const followed = await run(
    await withRequest({ followRedirects: true }, { test: { ...(await makeTask()).test, path: "/redirect" } }),
  );
  expect(followed.verdict).toBe("blocked");
  const client = {
    ...{ id, name: "Client", type: "oauth2ClientCredentials", secret: "s3cret" },
    settings: { clientId: "agent", tokenUrl: `${canary.base}/token` },
  };
  const host = new URL(inside.base).host;
  const credentials = [{ host, authorization: JSON.stringify([id]), items: [client], refused: [] }];
  const bindings = [{ schemeName: "any", credentialId: id }];
  const tokens = await run(
    await withRequest({ authorization: { kind: "credentials", bindings } }, {}, { credentials }),
  );
  expect(tokens.verdict).toBe("errored");
  expect(canary.connections() - before).toBe(0);
  // The positive control: the same target, once it is allowed.
  expect(await run(await makeTask({ baseUrls: [canary.base] }), [`127.0.0.1:${canary.port}`])).toMatchObject({
    verdict: "passed",
  });
});

test("G07: with targets of its own, an agent reaches no public address, unless its owner adds them", () => {
  expect(parseAllowed(["10.0.0.0/8:443"])).toMatchObject({ onlyListed: true });
  expect(parseAllowed(["10.0.0.0/8:443,public"])).toMatchObject({ onlyListed: false });
  expect(parseAllowed([])).toEqual({ targets: [], onlyListed: false });
  expect(() => parseAllowed(["10.0.0.0/8"])).toThrow(/--allow takes no "10.0.0.0\/8"/);
});

test("G06: secrets for another agent or execution, or that are too old, are of no use: nothing is sent", async () => {
  const before = inside.urls.length;
  const other = await createAgentKeys();
  const old = new Date(Date.now() - 1_000).toISOString();
  const wrong = [
    await makeTask({}, {}, other),
    await makeTask({}, { executionId: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e11" }),
    await makeTask({}, { expiresAt: old }),
  ];
  for (const task of wrong)
    expect(await run(task)).toMatchObject({ verdict: "errored", cause: { code: "agent_failed" } });
  expect(inside.urls.length).toBe(before);
});

test("a secret of the agent's environment is sent and leaves it no other way, and others of its variables can't be named", async () => {
  process.env.ASSURANCE_SECRET_AGENT = "agent-env-canary-91";
  const host = new URL(inside.base).host;
  const key = (environmentName: string) => ({
    ...{
      id,
      name: "Key",
      type: "apiKey",
      settings: { in: "query", parameterName: "key" },
      secret: "unread",
      environmentName,
    },
  });
  const authorization = { kind: "credentials", bindings: [{ schemeName: "any", credentialId: id }] };
  const withKey = async (name: string) => {
    const credentials = [{ host, authorization: JSON.stringify([id]), items: [key(name)], refused: [] }];
    return await run(await withRequest({ authorization }, {}, { credentials }));
  };
  const sent = await withKey("ASSURANCE_SECRET_AGENT");
  expect(sent.verdict).toBe("passed");
  expect(inside.urls.at(-1)).toBe("/?key=agent-env-canary-91");
  // The target echoes the address.
  expect(JSON.stringify(sent)).not.toContain("agent-env-canary-91");
  const before = inside.urls.length;
  const refused = await withKey("PATH");
  expect(refused).toMatchObject({ verdict: "errored", cause: { code: "secret_unavailable" } });
  expect(refused.cause!.detail).toContain("names begin with ASSURANCE_SECRET_");
  expect(inside.urls.length).toBe(before);
  const variable = { secretReferences: [{ name: "pin", environmentName: "ASSURANCE_SECRET_AGENT" }] };
  const pinned = await run(await withRequest({ headers: [{ name: "x-pin", value: "{{pin}}" }] }, {}, variable));
  expect(inside.headers.at(-1)).toMatchObject({ "x-pin": "agent-env-canary-91" });
  expect(JSON.stringify(pinned)).not.toContain("agent-env-canary-91");
});

test("G07: tasks of any shape end errored, and the agent continues", async () => {
  const shapes = [
    {},
    { executionId: id, fence: 1 },
    { ...(await makeTask()), test: { method: "get" } },
    { ...(await makeTask()), sealed: "a.b.c.d.e" },
  ];
  for (const shape of shapes)
    expect(await run(shape as never)).toMatchObject({ verdict: "errored", cause: { code: "agent_failed" } });
});

test("secrets of the agent's Vault are read by the agent, sent, and leave it no other way", async () => {
  const vault = await startVaultServer();
  try {
    vault.allow("hvs.agent");
    vault.put("kv/data/shop/live", { api_key: "agent-vault-canary-37", pin: "agent-vault-canary-38" });
    const source = parseVault({ vault: `${vault.address}/`, vaultMount: "kv" }, { VAULT_TOKEN: "hvs.agent" })!;
    const host = new URL(inside.base).host;
    const settings = { in: "query", parameterName: "key" };
    const shop = { id, name: "Shop", type: "apiKey", settings, secret: "unread" };
    const authorization = { kind: "credentials", bindings: [{ schemeName: "any", credentialId: id }] };
    const make = (key: string) => {
      const items = [{ ...shop, vault: { path: "shop/live", key } }];
      const credentials = [{ host, authorization: JSON.stringify([id]), items, refused: [] }];
      const secretReferences = [{ name: "pin", vault: { path: "shop/live", key: "pin" } }];
      const headers = [{ name: "x-pin", value: "{{pin}}" }];
      return withRequest({ authorization, headers }, {}, { credentials, secretReferences });
    };
    const allowed = [`127.0.0.1:${inside.port}`, vault.host];
    const sent = await run(await make("api_key"), allowed, source);
    expect(sent.verdict).toBe("passed");
    expect(inside.urls.at(-1)).toBe("/?key=agent-vault-canary-37");
    expect(inside.headers.at(-1)).toMatchObject({ "x-pin": "agent-vault-canary-38" });
    expect(JSON.stringify(sent)).not.toContain("agent-vault-canary");
    const before = inside.urls.length;
    const reads = vault.requests.length;
    const wrong = [
      [await run(await make("other"), allowed, source), "kv/data/shop/live has no key other."],
      [await run(await make("api_key"), allowed), "The agent has no Vault (--vault)."],
      // The agent's own list does not name it.
      [await run(await make("api_key"), undefined, source), "can't be asked"],
    ] as const;
    for (const [result, words] of wrong) {
      expect(result).toMatchObject({ verdict: "errored", cause: { code: "secret_unavailable" } });
      expect(result.cause!.detail).toContain(words);
    }
    expect(inside.urls.length).toBe(before);
    expect(vault.requests.length - reads).toBeLessThanOrEqual(2);
  } finally {
    await vault.close();
  }
});

test("an agent's Vault has an address and a token, or an AppRole", () => {
  const vault = "https://vault.internal:8200";
  expect(parseVault({}, {})).toBeUndefined();
  expect(parseVault({ vault, vaultRole: "r" }, { VAULT_SECRET_ID: "s" })).toMatchObject({
    address: vault,
    mount: "secret",
    authentication: { kind: "appRole", roleId: "r", secretId: "s" },
  });
  for (const [flags, words] of [
    [{ vault }, "VAULT_TOKEN"],
    [{ vault, vaultRole: "r" }, "VAULT_SECRET_ID"],
    [{ vault: "vault.internal" }, "--vault takes an address"],
    [{ vaultRole: "r" }, "--vault-role needs --vault"],
  ] as const)
    expect(() => parseVault(flags, {})).toThrow(words);
});
