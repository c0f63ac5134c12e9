import { makeTests, mend, runByPipeline } from "../support/made-tests.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";

test("a user who sees a broken test acknowledges its incident, mutes it by keyboard, and sees it resolved", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const made = await makeTests(await signInToBackend(portal), targetApi);
  await runByPipeline(made);
  const incident = page.getByRole("link", { name: "Wants the impossible fails" });
  await expect(async () => {
    await page.goto(`/test-management/${made.apiId}/manage`);
    await expect(incident).toBeVisible({ timeout: 100 });
  }).toPass();
  await incident.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wants the impossible fails");

  const acknowledge = page.getByRole("button", { name: "Acknowledge" });
  await acknowledge.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Acknowledged by you.")).toBeVisible();
  await expect(acknowledge).toHaveCount(0);
  await page.locator("summary", { hasText: "Mute" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "For 1 hour" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Unmute" })).toBeVisible();

  await mend(made);
  await runByPipeline(made);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("automatically: its tests recovered")).toBeVisible({ timeout: 100 });
  }).toPass();
});
