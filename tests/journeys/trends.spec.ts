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
  await expect(page.getByText("Times in UTC+9 (Asia/Tokyo)")).toBeVisible();
  await page.getByRole("link", { name: "Choose another zone" }).click();
  await page.getByLabel("Zone").selectOption("America/Lima");
  await page.getByRole("button", { name: "Use this zone" }).click();
  await expect(page.getByText("Times in UTC−5 (America/Lima)")).toBeVisible();
  await context.close();
});

test("arrow keys show the plot's values, the same as in its table, and Enter opens what ran then", async ({
  portal,
  targetApi,
  signedIn: page,
}) => {
  const { apiId, testId } = await makeWorld(portal, targetApi);
  await page.goto(`/test-management/${apiId}/tests/${testId}/executions/list?range=24h`);
  const plot = page.getByRole("slider", { name: "Executions" });
  await plot.scrollIntoViewIfNeeded();
  await expect(page.getByRole("slider"), "one tab stop for each plot").toHaveCount(4);
  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("End");
  const rows = page.locator("#executions tbody tr");
  const lastRow = await rows.last().locator("th, td").allTextContents();
  const [label, ...counts] = lastRow as [string, ...string[]];
  const words = counts
    .slice(0, 4)
    .map((count, index) => `${count} ${["passed", "flaky", "errored", "failed"][index]}`)
    .filter((count) => !count.startsWith("0 "));
  expect(words.length).toBeGreaterThan(0);
  const said = new RegExp(`^${label}: ${words.join(", ")}, median [\\d.]+ m?s`);
  await expect(plot).toHaveAttribute("aria-valuetext", said);
  const readout = page.locator("#executions [data-readout]");
  await expect(readout).toHaveText(said);
  await expect(page.locator("#response-times [data-readout]"), "in all plots").toHaveText(said);
  await page.keyboard.press("Home");
  await expect(plot).toHaveAttribute("aria-valuetext", /: nothing ran$/);
  await page.keyboard.press("Escape");
  await expect(plot).not.toBeFocused();
  await expect(readout).toHaveText("Tests ran in 1 of 24 hours.");
  await rows
    .last()
    .locator("th")
    .evaluate((cell) => cell.closest("details")!.setAttribute("open", ""));
  const href = await rows.last().getByRole("link").getAttribute("href");
  await plot.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname + url.search === href);
  await expect(page.getByText(/^Executions since/)).toBeVisible();
});
