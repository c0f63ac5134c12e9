import { makeWorld } from "../support/made-world.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";

test("by keyboard: / opens the search, arrows choose, Enter opens, Escape gives the focus back", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  await makeWorld(portal, targetApi);
  await page.goto("/test-management/incidents");
  const link = page.getByRole("link", { name: "Schedules" }).first();
  await link.focus();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search" });
  await expect(field).toBeFocused();
  await page.keyboard.type("get /books price");
  const options = page.getByRole("dialog", { name: "Search" }).getByRole("option");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expect(options.first()).toContainText("GET /books/{bookId}/price");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(link).toBeFocused();

  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("price");
  await expect(page.getByRole("status").filter({ hasText: /results/ })).toBeVisible();
  const test = page.getByRole("group", { name: "Tests" }).getByRole("option").first();
  for (let presses = 0; presses < 30; presses++) {
    if ((await test.getAttribute("aria-selected")) === "true") break;
    await page.keyboard.press("ArrowDown");
  }
  await expect(field).toHaveAttribute("aria-activedescendant", (await test.getAttribute("id"))!);
  await page.keyboard.press("Enter");
  // Other APIs of this portal have such a test, too.
  await expect(page).toHaveURL(/\/test-management\/[^/]+\/tests\/[^/]+\/edit$/);

  // In a field the key is a character.
  await page.getByLabel("Name", { exact: true }).first().focus();
  await page.keyboard.press("/");
  await expect(field).toHaveCount(0);
});

test("? lists the keys, and g c goes to circles", async ({ signedIn: page }) => {
  await page.goto("/search");
  await page.locator("main").focus();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys.getByText("Go to circles")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/test-circles\/list$/);
});

test("the last search wins, and one that fails says so", async ({ signedIn: page }) => {
  await page.goto("/dashboard");
  await page.getByRole("searchbox", { name: "Search" }).click();
  const field = page.getByRole("combobox", { name: "Search" });
  await page.route(/suggestions\?query=sched$/, async (route) => {
    await expect(page.getByRole("option", { name: /Alert channels/ }).first()).toBeVisible();
    await route.continue().catch(() => {});
  });
  await field.fill("sched");
  await page.waitForRequest(/query=sched$/);
  await field.fill("alert channels");
  await expect(page.getByRole("option", { name: /Alert channels/ }).first()).toBeVisible();
  await page.route(/suggestions\?query=users/, (route) => route.abort());
  await field.fill("users");
  await expect(page.getByText(/The search failed/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?query=users$/);
});
