import { follow, tabTo } from "../support/keyboard.ts";
import { expect, test } from "../support/portal-test.ts";
import { untilEnded } from "../support/run-life.ts";

test("the main job can be done by keyboard alone", async ({ page, portal, targetApi }) => {
  await page.goto("/login");
  await tabTo(page, "textbox", /Username/);
  await page.keyboard.type(portal.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(portal.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  await follow(page, "link", /^APIs$/);
  await follow(page, "link", /Register an API/);
  await tabTo(page, "textbox", /Document URL/);
  await page.keyboard.type(targetApi.openDocumentUrl);
  await tabTo(page, "textbox", /^Name/);
  await page.keyboard.type("Bookshop by keyboard");
  await follow(page, "button", /^Register$/);
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();

  await follow(page, "button", /^Create and run 1 circle$/);
  await untilEnded(page, false);
  await follow(page, "link", /price of a book|price/i);
  await expect(page.getByText('expected a number, found "12.50" (a string)').first()).toBeVisible();
});

test("the first Tab offers to skip to the content", async ({ signedIn }) => {
  await signedIn.goto("/dashboard");
  await signedIn.keyboard.press("Tab");
  await expect(signedIn.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await signedIn.keyboard.press("Enter");
  await expect(signedIn.locator("main")).toBeFocused();
});
