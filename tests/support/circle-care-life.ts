import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { follow, tabTo, typeInto } from "./keyboard.ts";
import { makeTests } from "./made-tests.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import type { TargetApi } from "./target-api.ts";

/**
 * By keyboard alone: sets a circle's service level, creates a channel while editing its alert rule, publishes the circle
 * on a status page, and plans a maintenance window in which no schedule runs.
 */
export async function careForCircle(page: Page, portal: RunningPortal, targetApi: TargetApi): Promise<void> {
  const { apiId, testIds, backend } = await makeTests(await signInToBackend(portal), targetApi);
  const mark = randomUUID().slice(0, 8);
  const members = [{ kind: "test" as const, testId: testIds["Lists books"]! }];
  const made = await backend.testRegistry.createCircle({ body: { name: `Shop ${mark}`, members } });
  const { id: testCircleId } = requireValue(made, "creating a circle");
  const started = { params: { testCircleId }, body: {} };
  requireValue(await toTheEnd(backend.testExecutioner).runCircle(started), "running it");

  await page.goto(`/test-management/${apiId}/test-circles/${testCircleId}`);
  await follow(page, "link", /^Set an objective$/);
  await typeInto(page, /^Objective/, "100");
  await follow(page, "button", /^Save$/);
  await expect(page.getByText("nothing could ever go wrong").first()).toBeVisible();
  await typeInto(page, /^Objective/, "99.9");
  await follow(page, "button", /^Save$/);
  await expect(page.getByText("99.9 % of results pass in 30 days").first()).toBeVisible();

  await follow(page, "link", /^Alert rule$/);
  await typeInto(page, /^Hours between reminders/, "3");
  await follow(page, "button", /^Create a channel$/);
  await typeInto(page, /^Name$/, `Team ${mark}`);
  await typeInto(page, /^Other addresses/, `${mark}@example.org`);
  await follow(page, "button", /^Create channel$/);
  await expect(page.getByText("We restored your")).toBeVisible();
  await expect(page.getByLabel(/^Hours between reminders/)).toHaveValue("3");
  await expect(page.getByRole("checkbox", { name: `Team ${mark}` })).toBeChecked();
  await tabTo(page, "checkbox", /^Alert them when the error budget/);
  await page.keyboard.press("Space");
  await follow(page, "button", /^Create rule$/);
  await expect(page.getByText("The rule is saved.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^Alert them when the error budget/ })).not.toBeChecked();

  await follow(page, "link", /^Status page$/);
  await typeInto(page, /^Title$/, `Shop ${mark}`);
  await typeInto(page, /^Announcement/, "We move on Saturday.");
  await follow(page, "button", /^Open the page$/);
  await follow(page, "link", /^See the page$/);
  await expect(page.getByRole("heading", { name: `Shop ${mark}` })).toBeVisible();
  await expect(page.getByText("Everything works")).toBeVisible();
  await expect(page.getByText("We move on Saturday.").first()).toBeVisible();

  await page.goto("/test-management/schedules");
  await follow(page, "link", /^Maintenance windows$/);
  await follow(page, "link", /^Create a window$/);
  await typeInto(page, /^Name$/, `Move ${mark}`);
  await tabTo(page, "radio", /^Once$/);
  await page.keyboard.press("ArrowDown");
  // So rare that no test coincides with it.
  await typeInto(page, /^Start \(cron expression\)/, "0 2 29 2 *");
  await typeInto(page, /^Lasts$/, "3");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: `Move ${mark}` });
  await expect(row).toContainText("29 Feb");
  await follow(page, "link", new RegExp(`^Move ${mark}$`));
  await follow(page, "link", /^Delete/);
  await follow(page, "button", /^Delete/);
  await expect(page.getByRole("row", { name: `Move ${mark}` })).toBeHidden();
}
