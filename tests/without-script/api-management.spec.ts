import { expect, test } from "../support/portal-test.ts";

test("the viewer searches and sends without script", async ({ signedIn: page, targetApi }) => {
  await page.goto("/api-management/register");
  await page.getByLabel("Address of the document").fill(targetApi.documentUrl);
  await page.getByRole("textbox", { name: /^Name/ }).fill("Bookshop, plain");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "Viewer" }).click();
  await page.getByRole("searchbox").fill("price");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("heading", { name: "Operations with “price”" })).toBeVisible();
  await page
    .getByRole("link", { name: /\/books\/\{bookId\}\/price/ })
    .first()
    .click();

  await page.getByLabel(/bookId/).fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter bookId");
  await page.getByLabel(/bookId/).fill("2");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("12.50").first()).toBeVisible();
  await expect(page.getByLabel(/bookId/)).toHaveValue("2");
});

test("a schema within itself leads to a page of its own", async ({ signedIn: page }) => {
  await page.goto("/api-management/register");
  await page.getByLabel("In a file").check();
  await page
    .getByLabel("Document", { exact: true })
    .first()
    .setInputFiles("tests/fixtures/openapi/valid/readmeio-v30-schema-circular.json");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "Viewer" }).click();
  await page.getByRole("navigation", { name: "Operations", exact: true }).getByRole("link").first().click();
  for (const closed of await page.locator("main details:not([open]) > summary").all()) {
    if (await closed.isVisible()) await closed.click();
  }
  const address = await page.locator("main a[href*='/swagger/schema?']").first().getAttribute("href");
  await page.goto(address!);
  await expect(page.getByText("A schema of the document.")).toBeVisible();
});
