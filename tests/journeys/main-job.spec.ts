import { countWayToReason } from "../support/counted-clicks.ts";
import { doMainJob } from "../support/main-job.ts";
import { expect, test } from "../support/portal-test.ts";
import { getRunStatus } from "../support/run-life.ts";

test("a newcomer registers an API, tests an operation and reads why it failed", async ({ signedIn, targetApi }) => {
  // With the animations that other journeys disable, such as of page transitions.
  await signedIn.emulateMedia({ reducedMotion: "no-preference" });
  await signedIn.goto("/dashboard");
  await doMainJob(signedIn, targetApi, "Bookshop with script");
  await signedIn.goto("/dashboard");
  await expect(signedIn.getByRole("link", { name: "Bookshop with script" }).first()).toBeVisible();
  await expect(signedIn.getByText("1 failed").first()).toBeVisible();
});

test("a running test shows its verdict without a reload", async ({ signedIn, targetApi, portal }) => {
  await signedIn.goto("/api-management/register");
  await signedIn.getByLabel("Document URL").fill(targetApi.documentUrl);
  await signedIn.getByRole("textbox", { name: /^Name/ }).fill("Bookshop that is slow");
  await signedIn.getByRole("button", { name: "Register", exact: true }).click();
  const apiId = /-management\/([^/]+)\//.exec(signedIn.url())?.[1];
  await signedIn.goto(`${portal.origin}/test-management/${apiId}/tests/create/${encodeURIComponent("/slow")}/get`);
  await signedIn.getByRole("button", { name: "Save and run" }).click();
  await expect(getRunStatus(signedIn)).toHaveText("Passed");
});

test("from the dashboard to the reason of a first failure takes 4 clicks and 1 field, on a phone too", async ({
  signedIn,
  targetApi,
}) => {
  const max = { clicks: 4, fields: 1 };
  expect(await countWayToReason(signedIn, targetApi, false)).toEqual(max);
  await signedIn.setViewportSize({ width: 360, height: 740 });
  expect(await countWayToReason(signedIn, targetApi, false)).toEqual(max);
});
