import { makeWorld } from "../support/made-world.ts";
import { expect, signIn, test } from "../support/portal-test.ts";

test("trends count the days of the browser's zone, unless another one is chosen", async ({
  browser,
  portal,
  targetApi,
}) => {
  await makeWorld(portal, targetApi);
  const context = await browser.newContext({ baseURL: portal.origin, timezoneId: "Asia/Tokyo" });
  const page = await context.newPage();
  await page.goto("/login");
  expect(await context.cookies(), "before cookies are accepted").toEqual([]);
  await signIn(page, portal);
  const cookieNames = async () => (await context.cookies()).map(({ name }) => name);
  await expect.poll(cookieNames, "once the page's script has said it").toContain("timeZone");
  await page.reload();
  await expect(page.getByText("Times in Asia/Tokyo")).toBeVisible();
  await page.getByRole("link", { name: "Choose another zone" }).click();
  await page.getByLabel("Zone").selectOption("America/Lima");
  await page.getByRole("button", { name: "Use this zone" }).click();
  await expect(page.getByText("Times in America/Lima")).toBeVisible();
  await context.close();
});
