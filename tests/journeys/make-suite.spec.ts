import { follow, tabTo } from "../support/keyboard.ts";
import { startLifeApi } from "../support/life-api.ts";
import { expect, test } from "../support/portal-test.ts";
import { expectPassedLife, makeSuite, nameLibrary } from "../support/suite-life.ts";

test("from the dashboard over the document and its API key to a passed life takes 4 clicks and 2 fields", async ({
  signedIn: page,
}) => {
  const library = await startLifeApi();
  expect(await makeSuite(page, library)).toEqual({ clicks: 4, fields: 2 });
  await expectPassedLife(page, library, false);
  await library.stop();
});

test("the plan counts what is ticked, and asks before a setting is changed", async ({ signedIn: page }) => {
  const library = await startLifeApi();
  await page.goto("/api-management/register");
  await page.getByLabel("Document URL").fill(library.documentUrl);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const run = page.getByRole("button", { name: /^Create and run/ });
  await expect(run).toHaveText("Create and run 4 circles");
  await page.getByRole("button", { name: "Deselect all" }).click();
  await expect(run).toBeDisabled();
  await page.getByRole("checkbox", { name: /^Hours, changed and put back/ }).check();
  await expect(run).toHaveText("Create and run 1 circle");
  await page.locator("summary").getByText("4 steps of Hours").click();
  await expect(page.getByText("Put back the hours")).toBeVisible();
  await run.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Changes existing data: PUT /hours, and puts it back.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("checkbox", { name: /^Hours, changed and put back/ })).toBeChecked();
  expect(library.requests).toEqual([]);
  await library.stop();
});

test("the suite of an API with a key is made and run by keyboard alone", async ({ signedIn: page }) => {
  const library = await startLifeApi();
  await page.goto("/dashboard");
  await follow(page, "link", /^APIs$/);
  await follow(page, "link", /Register an API/);
  await tabTo(page, "textbox", /Document URL/);
  await page.keyboard.type(library.documentUrl);
  await tabTo(page, "textbox", /^Name/);
  await page.keyboard.type(nameLibrary());
  await follow(page, "button", /^Register$/);
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();
  await tabTo(page, "textbox", /^Key/);
  await page.keyboard.type(library.key);
  await page.keyboard.press("Enter");
  await expect(page.getByText("is stored, for")).toBeVisible();
  await tabTo(page, "checkbox", /^Reads of reports/);
  await page.keyboard.press("Space");
  await follow(page, "button", /^Create and run 3 circles$/);
  await expectPassedLife(page, library, false);
  await library.stop();
});
