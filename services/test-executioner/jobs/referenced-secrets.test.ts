import { afterAll, afterEach, expect, test } from "vitest";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import { startVaultServer } from "#libraries/vault-kv/testing/vault-server.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { storedRows } from "../../kit/testing/stored-rows.ts";
import { createRunWorld, type StartBody } from "../testing/run-world.ts";

const variables: Record<string, string | undefined> = {};

for (const engine of testEngines()) {
  const { world, target, start, get, close } = await createRunWorld(await engine.open(), {
    environmentSecrets: { prefix: "ASSURANCE_SECRET_", find: (name) => variables[name] },
  });
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: a secret from the worker's environment is sent and redacted, and one that is missing is said before anything is sent`, async () => {
    target.answer(({ headers }, response) => void response.end(JSON.stringify({ echo: headers.authorization })));
    const tenant = await world.createTenant(target.baseUrl);
    const reference = { kind: "environment", name: "ASSURANCE_SECRET_SHOP" };
    const input = { name: "Shop", domain: target.host, type: "bearer", settings: {}, reference };
    const credentialId = await tenant.createCredential(input);
    const bindings = [{ schemeName: "any", credentialId }];
    const { id: testId } = await tenant.createTest({
      request: { authorization: { kind: "credentials", bindings } } as never,
    });
    const run = async () => {
      const { id } = await start(tenant, { source: { tests: [testId] } });
      return (await get(tenant, id)).members.items[0]!;
    };
    const before = target.requests.length;
    expect(await run()).toMatchObject({
      verdict: "errored",
      reason:
        "The secret of the credential Shop could not be read. The process that runs tests has no variable ASSURANCE_SECRET_SHOP.",
    });
    expect(target.requests.length).toBe(before);

    variables.ASSURANCE_SECRET_SHOP = "env-canary-7f3a";
    // Opened credentials are used for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const passed = await run();
    expect(passed.verdict).toBe("passed");
    expect(target.requests.at(-1)!.headers.authorization).toBe("Bearer env-canary-7f3a");
    const execution = await tenant.client.getExecution({ params: { executionId: passed.executionId } });
    expect(JSON.stringify(execution)).not.toContain("env-canary-7f3a");
  });

  test(`${engine.name}: secret variables of a circle are read from Vault and the environment, and stored and shown nowhere`, async () => {
    const vault = await startVaultServer();
    try {
      vault.allow("hvs.canary");
      vault.put("secret/data/shop/live", { password: "vault-canary-9c1e" });
      target.answer(({ headers }, response) => void response.end(JSON.stringify({ echo: headers })));
      const tenant = await world.createTenant(target.baseUrl);
      const headers = [
        { name: "X-Password", value: "{{password}}" },
        { name: "X-Pin", value: "{{pin}}" },
      ];
      const { id: testId } = await tenant.createTest({ request: { headers } as never });
      const variable = (name: string, reference: SecretReference) => ({ name, secret: true, reference });
      const { id: testCircleId } = await tenant.createCircle({
        members: [{ testId }],
        variables: [
          variable("password", { kind: "vault", path: "shop/live", key: "password" }),
          variable("pin", { kind: "environment", name: "ASSURANCE_SECRET_PIN" }),
        ],
      });
      const run = async (source: StartBody["source"]) => {
        const { id } = await start(tenant, { source });
        return { id, member: (await get(tenant, id)).members.items[0]! };
      };
      const sentBefore = target.requests.length;
      expect((await run({ testCircleId })).member).toMatchObject({
        verdict: "errored",
        reason: "The secret variable password could not be read. No Vault is connected: see Administration, Vault.",
      });
      expect(target.requests.length).toBe(sentBefore);

      await tenant.connectVault({ address: vault.address, authentication: "token", secret: "hvs.canary" });
      variables.ASSURANCE_SECRET_PIN = "env-canary-4d2b";
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const first = await run({ testCircleId });
      const again = await run({ runId: first.id, from: 1 });
      for (const { member } of [first, again]) {
        expect(member.verdict).toBe("passed");
        const shown = await tenant.client.getExecution({ params: { executionId: member.executionId } });
        expect(JSON.stringify(shown)).not.toMatch(/-canary-/);
      }
      for (const { headers: sent } of target.requests.slice(-2))
        expect([sent["x-password"], sent["x-pin"]]).toEqual(["vault-canary-9c1e", "env-canary-4d2b"]);
      for (const schema of ["test_executioner", "test_registry"])
        expect(JSON.stringify(await storedRows(world.database, schema))).not.toMatch(/-canary-/);
    } finally {
      await vault.close();
    }
  });
}
