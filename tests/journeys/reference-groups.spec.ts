import { expect, holdIslands, test } from "../support/portal-test.ts";

const responses = { 200: { description: "Fine" } };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Beyond the rows displayed initially. */
function nested(depth: number): object {
  return depth === 0 ? { type: "string" } : { type: "object", properties: { inner: nested(depth - 1) } };
}

test("an opened group stays open on every later page of the reference", async ({ signedIn: page }) => {
  const requestBody = { content: { "application/json": { schema: nested(20) } } };
  const paths = {
    ...Object.fromEntries(numbers(45).map((number) => [`/books/${number}`, { get: { responses } }])),
    ...Object.fromEntries(numbers(3).map((number) => [`/authors/${number}`, { get: { responses } }])),
    "/shops": { post: { requestBody, responses } },
  };
  await page.goto("/api-management/register");
  await page.getByRole("radio", { name: "Paste" }).check();
  const info = { title: "Groups", version: "1" };
  await page.getByRole("textbox", { name: "Document" }).fill(JSON.stringify({ openapi: "3.1.0", info, paths }));
  await page.getByRole("textbox", { name: /^Name/ }).fill("Groups in a browser");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("Groups in a browser is registered with")).toBeVisible();
  const apiId = /-management\/([^/]+)\//.exec(page.url())![1]!;
  // Over a slow line a user opens a group before the script has loaded.
  const releaseIslands = await holdIslands(page);
  await page.goto(`/api-management/${apiId}/swagger/operation?method=post&path=%2Fshops`);
  const operations = page.getByRole("navigation", { name: "Operations" });
  const author = operations.getByRole("link", { name: /\/authors\/2$/ });
  await operations.getByText("/authors", { exact: true }).click();
  await expect(operations.getByRole("link", { name: "3 operations" })).toBeVisible();
  releaseIslands();
  await expect(author).toBeVisible();
  await operations.getByText("/books", { exact: true }).click();
  await expect(operations.getByRole("link", { name: /\/books\/7$/ })).toBeVisible();
  await page.goto((await page.locator("main a[href*='/swagger/schema']").first().getAttribute("href"))!);
  await expect(author).toBeVisible();
  await page.getByRole("navigation", { name: "Reference" }).getByRole("link", { name: "All operations" }).click();
  await page.waitForURL(/swagger\/operations/);
  await expect(author).toBeVisible();
});
