import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget } from "../../test-executioner/testing/target.ts";
import { createAlertWorld } from "../testing/alert-world.ts";

for (const engine of testEngines()) {
  test(`${engine.name}: operators see since when the oldest alert has been waiting, counted from when it was last queued`, async () => {
    const [world, hook] = await Promise.all([createAlertWorld(engine, { work: false }), startTarget(() => {})]);
    const tenant = await world.createTenant();
    const { id: channelId } = await tenant.createChannel({
      ...{ kind: "webhook", name: "Hook", enabled: true, url: hook.baseUrl },
    });
    const operator = world.connect({ token: world.tokenFor({ scopes: ["system:manage"] }).token });
    const alerts = async () =>
      requireValue(await operator.listWaitingWork(), "work").items.find(({ name }) => name === "test-analyzer-alerts");
    hook.answer((_, response) => void response.writeHead(500).end());
    const tested = requireValue(await tenant.client.testChannel({ params: { channelId } }), "test");
    expect(await alerts()).toMatchObject({ waiting: 0, oldestAt: null });

    world.clock.advance(3_600_000);
    const sentAt = world.clock.now().toISOString();
    requireValue(await tenant.client.sendDeliveryAgain({ params: { deliveryId: tested.id } }), "again");
    expect(await alerts()).toMatchObject({ waiting: 1, running: 0, oldestAt: sentAt });
    await hook.close();
    await world.close();
  });
}
