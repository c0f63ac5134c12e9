import { makeWorld } from "../support/made-world.ts";
import { expect, test } from "../support/portal-test.ts";

test("within an API two rows precede the content", async ({ signedIn: page, portal, targetApi }) => {
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
    expect([address, top <= 170]).toEqual([address, true]);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  for (const address of [`${tests}/manage`, `/api-management/${apiId}/swagger`]) {
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});
