import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alertKinds } from "#contracts/test-analyzer/alert-deliveries.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";

let world: AlertWorld;
let hook: Target;
beforeAll(async () => {
  world = await createAlertWorld(testEngines()[0]);
  hook = await startTarget((_, response) => void response.writeHead(204).end());
});
afterAll(async () => {
  await hook.close();
  await world.close();
});

test("each kind of alert has an example that matches the published schema, as real alerts do", async () => {
  const { examples, schema } = requireValue(await world.connect().describeWebhooks({}), "describe");
  expect(examples.map(({ kind }) => kind)).toEqual(alertKinds);
  const tenant = await world.createTenant();
  const { id } = await tenant.createChannel({ kind: "webhook", name: "Hook", enabled: true, url: hook.baseUrl });
  await tenant.client.testChannel({ params: { channelId: id } });

  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  for (const body of [...examples.map((example) => example.body), hook.requests[0]!.text]) {
    validate(JSON.parse(body));
    expect(validate.errors).toBeNull();
  }
  expect(validate({ ...JSON.parse(examples[0]!.body), type: "other" })).toBe(false);
});
