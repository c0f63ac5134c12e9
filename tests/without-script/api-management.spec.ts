import { expect, test } from "../support/portal-test.ts";

test("a recursive schema leads to a separate page", async ({ signedIn: page }) => {
  await page.goto("/api-management/register");
  await page.getByRole("radio", { name: "File" }).check();
  await page
    .getByLabel("Document", { exact: true })
    .first()
    .setInputFiles("tests/fixtures/openapi/valid/readmeio-v30-schema-circular.json");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "Reference", exact: true }).click();
  await page.getByRole("navigation", { name: "Operations", exact: true }).getByRole("link").first().click();
  for (const closed of await page.locator("main details:not([open]) > summary").all()) {
    if (await closed.isVisible()) await closed.click();
  }
  const address = await page.locator("main a[href*='/swagger/schema?']").first().getAttribute("href");
  await page.goto(address!);
  await expect(page.getByText("A schema of the document.")).toBeVisible();
});
