import { afterAll, afterEach, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { createRunWorld } from "../testing/run-world.ts";

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
}
