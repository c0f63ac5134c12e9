import { makeWorld } from "../support/made-world.ts";
import { expect, test } from "../support/portal-test.ts";

test("within an API one bar precedes the content", async ({ signedIn: page, portal, targetApi }) => {
  const { apiId, testId, executionId, runId, circleId } = await makeWorld(portal, targetApi);
  const tests = `/test-management/${apiId}`;
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const address of [
    `${tests}/manage`,
    `${tests}/tests`,
    `${tests}/tests/${testId}/edit`,
    `${tests}/tests/${testId}/executions/${executionId}/verifications`,
    `${tests}/runs/${runId}`,
    `${tests}/test-circles/${circleId}`,
    `/api-management/${apiId}/swagger`,
    `/api-management/${apiId}/details`,
  ]) {
    await page.goto(address);
    const top = (await page.locator("main h1").boundingBox())!.y;
    expect([address, top <= 135]).toEqual([address, true]);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  for (const address of [`${tests}/manage`, `${tests}/tests/${testId}/edit`, `/api-management/${apiId}/swagger`]) {
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});

test("on a small screen the navigation is one line, with the current page in view and the way up in front", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { apiId } = await makeWorld(portal, targetApi);
  await page.setViewportSize({ width: 360, height: 640 });
  const navigation = page.getByRole("navigation", { name: "Workspace" });
  for (const [address, current, up] of [
    ["/dashboard", "Dashboard", undefined],
    ["/test-management/alert-channels", "Alert channels", undefined],
    [`/test-management/${apiId}/manage`, "Overview", "APIs"],
    [`/api-management/${apiId}/details`, "Settings", "APIs"],
    ["/administration/audit-log", "Audit log", "Dashboard"],
    ["/profile/display", "Display", "Dashboard"],
  ] as const) {
    await page.goto(address);
    expect((await navigation.boundingBox())!.height, address).toBeLessThanOrEqual(48);
    const link = navigation.getByRole("link", { name: current, exact: true });
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(link, address).toBeInViewport({ ratio: 1 });
    if (up) expect(await navigation.getByRole("link").first().innerText(), address).toBe(up);
  }
});
