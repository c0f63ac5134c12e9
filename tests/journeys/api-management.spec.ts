import { readdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, holdIslands, test } from "../support/portal-test.ts";

const fixtures = "tests/fixtures/openapi";

async function register(page: Page, file: string, name: string): Promise<string> {
  await page.goto("/api-management/register");
  await page.getByRole("radio", { name: "File" }).check();
  await page.getByLabel("Document", { exact: true }).first().setInputFiles(file);
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText(`${name} is registered with`)).toBeVisible();
  const apiId = /-management\/([^/]+)\//.exec(page.url())![1]!;
  await page.goto(`/api-management/${apiId}/details`);
  return apiId;
}

test("a document with mistakes is refused at its field, and no input is lost", async ({ signedIn: page }) => {
  await page.goto("/api-management/register");
  await page.getByRole("button", { name: "Validate" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the document URL");
  await page.getByRole("radio", { name: "Paste" }).check();
  await page.getByRole("textbox", { name: "Document" }).fill("swagger: 7");
  await page.getByRole("textbox", { name: /^Name/ }).fill("Kept");
  await page.getByRole("textbox", { name: /^Tags/ }).fill('one, "two, three"');
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("This document can't be used")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Document" })).toHaveValue("swagger: 7");
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("Kept");
  await expect(page.getByRole("textbox", { name: /^Tags/ })).toHaveValue('one, "two, three"');
  await expectAccessible(page);
});

test("a checked file need not be chosen again, and its bytes are returned unchanged", async ({ signedIn: page }) => {
  const file = `${fixtures}/valid/readmeio-v30-server-variables.yaml`;
  await page.goto("/api-management/register");
  await page.getByRole("radio", { name: "File" }).check();
  await page.getByLabel("Document", { exact: true }).first().setInputFiles(file);
  await page.getByRole("button", { name: "Validate" }).click();
  await expect(page.getByText(/^Summary/).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: /^Name/ }).fill("Checked first");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "See the API" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download/ }).click();
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const { readFile } = await import("node:fs/promises");
  expect(Buffer.concat(chunks).equals(await readFile(file))).toBe(true);
});

test("an API is edited, given environments and deleted after asking", async ({ signedIn: page }) => {
  const apiId = await register(page, `${fixtures}/valid/learn-v30-link.yaml`, "To be changed");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Base URL").fill("nowhere");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a full URL");
  await page.getByLabel("Base URL").fill("https://api.example.com/v2");
  await page.getByLabel(/^Tags/).fill("journey-tag");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("https://api.example.com/v2").first()).toBeVisible();

  await page.getByRole("link", { name: /Edit\s*environments/ }).click();
  await page.getByRole("button", { name: "Add an environment" }).click();
  await page.getByRole("button", { name: "Add an environment" }).click();
  await page.getByLabel("Name").first().fill("Staging");
  await page.getByLabel("Base URL").first().fill("https://staging.example.com");
  await page.getByLabel("Variables").first().fill("region=eu\nkey=a=b");
  await page.getByRole("button", { name: /Remove environment 2/ }).click();
  await expect(page.getByLabel(/^Variables(?! of)/)).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save environments" }).click();
  await expect(page.getByText("Variables: region, key")).toBeVisible();

  await page.goto("/api-management/list?tag=journey-tag");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await page.goto(`/api-management/${apiId}/details`);
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toContainText("can't be undone");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete API" }).click();
  await expect(page.getByText("To be changed is deleted")).toBeVisible();
  expect((await page.request.get(`/api-management/${apiId}/details`)).status()).toBe(404);
});

test("the viewer filters while typing, and sends a request without reloading", async ({ signedIn, targetApi }) => {
  const page = signedIn;
  await page.goto("/api-management/register");
  await page.getByLabel("Document URL").fill(targetApi.documentUrl);
  await page.getByRole("textbox", { name: /^Name/ }).fill("Bookshop to browse");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "Reference" }).click();
  const operations = page.getByRole("navigation", { name: "Operations", exact: true });
  await expect(operations.getByRole("link")).toHaveCount(5);
  await page.getByRole("searchbox").pressSequentially("price");
  await expect(operations.getByRole("link")).toHaveCount(1);
  await expect(page.getByText("1 operation found")).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await expect(operations.getByRole("link")).toHaveCount(5);
  await expectAccessible(page);

  // Over a slow line a user types before the form's script has loaded.
  const releaseIslands = await holdIslands(page);
  await operations.getByRole("link", { name: "GET /books/{bookId}", exact: true }).click();
  await expect(page.getByLabel(/bookId/)).toHaveValue("1");
  const url = page.url();
  await page.getByLabel(/bookId/).fill("4711");
  await expect(page.getByLabel("curl sample")).toContainText("/books/1");
  releaseIslands();
  await expect(page.getByLabel("curl sample")).toContainText("/books/4711");
  await page.getByLabel(/bookId/).fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter bookId");
  await page.getByLabel(/bookId/).fill("2");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Invisible Cities").first()).toBeVisible();
  await expect(page.getByText("200 OK")).toBeVisible();
  expect(page.url()).toBe(url);
  await expectAccessible(page);
});

test("O09: no document executes script in any page of the viewer", async ({ signedIn: page }) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text());
  });
  page.on("dialog", (dialog) => {
    violations.push(dialog.message());
    void dialog.dismiss();
  });
  const hostile = readdirSync(`${fixtures}/invalid`).filter((name) => /rapid7|openapi-vue|30fe79e5/.test(name));
  expect(hostile.length).toBeGreaterThan(2);
  for (const name of hostile) {
    await page.goto("/api-management/register");
    await page.getByRole("radio", { name: "File" }).check();
    await page.getByLabel("Document", { exact: true }).first().setInputFiles(`${fixtures}/invalid/${name}`);
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await expect(page.getByText(/ is registered with /)).toBeVisible();
    const apiId = /-management\/([0-9a-f-]{36})\//.exec(page.url())![1];
    const viewer = `/api-management/${apiId}/swagger`;
    await page.goto(viewer);
    const links = page.getByRole("navigation", { name: "Operations", exact: true }).getByRole("link");
    const operations = await links.evaluateAll((all) =>
      all.slice(0, 5).map((link) => (link as HTMLAnchorElement).href),
    );
    for (const address of [viewer, ...operations]) {
      await page.goto(address);
      expect(
        await page.locator("main :is(script, iframe, img, object, embed, base, [onerror], [onload])").count(),
      ).toBe(0);
      const hrefs = await page
        .locator("main a")
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
      expect(hrefs.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol))).toEqual([]);
    }
  }
  expect(violations).toEqual([]);
});
