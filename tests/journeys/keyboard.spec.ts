import { follow, skip, tabTo } from "../support/keyboard.ts";
import { expect, test } from "../support/portal-test.ts";
import { untilEnded } from "../support/run-life.ts";

test("the main job is done by keyboard alone, with at most 40 presses of Tab", async ({ page, portal, targetApi }) => {
  const presses: Record<string, number> = {};
  const stop = async (name: string, ...pressed: Promise<number>[]) => {
    for (const one of pressed) presses[name] = (presses[name] ?? 0) + (await one);
  };
  await page.goto("/login");
  await expect(page.getByLabel("Username")).toBeFocused();
  await page.keyboard.type(portal.username);
  await stop("log in", tabTo(page, "textbox", /Password/));
  await page.keyboard.type(portal.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  await stop("dashboard", skip(page));
  await stop("dashboard", follow(page, "link", /Register an API/));
  await expect(page.getByLabel("Document URL")).toBeFocused();
  await page.keyboard.type(targetApi.openDocumentUrl);
  await stop("register", tabTo(page, "textbox", /^Name/));
  await page.keyboard.type("Bookshop by keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();

  await stop("generate", skip(page, "the list"));
  await stop("generate", follow(page, "button", /^Create and run 1 circle$/));
  await untilEnded(page, false);
  await stop("run", skip(page));
  await stop("run", follow(page, "link", /price of a book|price/i));
  await expect(page.getByText('expected a number, found "12.50" (a string)').first()).toBeVisible();
  const total = Object.values(presses).reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${total} presses of Tab: ${JSON.stringify(presses)}\n`);
  expect(total).toBeLessThanOrEqual(40);
});

test("a list is two presses of Tab away, past its heading and filters", async ({ signedIn: page }) => {
  await page.goto("/administration/user-management");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const link = page.getByRole("link", { name: "Skip to the list" });
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#list")).toBeFocused();
  await page.goto("/profile");
  await expect(link).toBeHidden();
});

test("the first Tab offers to skip to the content", async ({ signedIn }) => {
  await signedIn.goto("/dashboard");
  await signedIn.keyboard.press("Tab");
  await expect(signedIn.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await signedIn.keyboard.press("Enter");
  await expect(signedIn.locator("main")).toBeFocused();
});

test("toasts come after the content in the order of Tab", async ({ signedIn: page }) => {
  await page.goto("/administration/credentials/create");
  await page.getByLabel("Name", { exact: true }).fill("Comes last");
  await page.getByLabel("Bearer").check();
  await page.getByLabel("Domain").fill("api.test");
  await page.locator("[name=secret]").fill("s3cret");
  await page.getByRole("button", { name: "Create credential" }).click();
  const toasts = page.getByRole("region", { name: "Messages" });
  await expect(toasts).toContainText("Comes last");
  expect(await toasts.evaluate((region) => region.compareDocumentPosition(document.querySelector("main")!))).toBe(
    2, // Node.DOCUMENT_POSITION_PRECEDING
  );
});

test("a page transition that is skipped is no error", async ({ signedIn: page }) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto("/dashboard");
  await page.evaluate(async () => {
    for (const type of ["pageswap", "pagereveal"]) {
      const skipped = () => Promise.reject(new DOMException("Transition was skipped", "AbortError"));
      const viewTransition = { ready: skipped(), finished: skipped(), updateCallbackDone: skipped() };
      dispatchEvent(Object.assign(new Event(type), { viewTransition }));
    }
    await new Promise((done) => setTimeout(done, 0));
  });
  expect(errors).toEqual([]);
});
