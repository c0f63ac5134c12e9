import { becomeSignedIn, expect, test } from "../support/portal-test.ts";
import { cancelTeam, expectTeam, goToPayPal, pickTeam, registerPrices } from "../support/subscribing-life.ts";

test("Team is picked, approved at PayPal and cancelled on a narrow screen without script", async ({ page, portal }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { account, backend } = await pickTeam(portal);
  const name = await registerPrices(backend);
  await becomeSignedIn(page, { ...portal, ...account });
  await page.goto("/billing");
  await goToPayPal(page);
  // Both pages on the way fit.
  expect(await page.locator("html").evaluate((html) => html.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectTeam(page);
  await cancelTeam(page, name);
});
