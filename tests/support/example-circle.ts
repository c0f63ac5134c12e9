import { account } from "../../sandbox/shop/app.ts";
import { describeShop } from "../../sandbox/shop/document.ts";
import { exampleTests } from "../../server/example/example-tests.ts";
import { startExampleShop } from "../../server/example/shop-process.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { PortalBackend } from "./portal-backend.ts";

/** The example shop, registered with its tests and their circle. Its port is kept in the folder. */
export async function openExampleCircle({ apiRegistry, testRegistry }: PortalBackend, folder: string) {
  const shop = await startExampleShop(folder);
  const source = { document: JSON.stringify(describeShop(shop.base, account)) };
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source } }), "registering the shop");
  const members = [];
  for (const { phase, ...test } of exampleTests) {
    const created = requireValue(await testRegistry.createTest({ params: { apiId }, body: test }), test.name);
    members.push({ testId: created.id, phase });
  }
  const circle = await testRegistry.createCircle({ body: { name: "Checkout", members } });
  return { shop, testCircleId: requireValue(circle, "the circle").id, password: account.password };
}
