import { expect, test } from "../support/portal-test.ts";

const collection = {
  info: { name: "Readers" },
  auth: { type: "bearer", bearer: [{ key: "token", value: "s3cret-of-readers" }] },
  item: [
    {
      name: "Reads",
      item: [
        {
          name: "List books that are kept in the reading room of the second floor",
          event: [
            {
              listen: "test",
              script: { exec: ["pm.response.to.have.status(200);", "for (const book of books) check(book);"] },
            },
          ],
          request: "https://books.example.com/a/rather/long/path/of/books?page=1",
        },
      ],
    },
  ],
};

test("a collection is imported without script, by keyboard and on a narrow screen", async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.goto("/api-management/register");
  await page.getByRole("link", { name: "Import a collection" }).click();
  await page.getByLabel("Or paste the content of a file").fill(JSON.stringify(collection));
  await page.getByRole("button", { name: "Review" }).press("Enter");

  await expect(page.getByText("Readers: read as Postman")).toBeVisible();
  await expect(page.getByText("token for books.example.com, sent by 1 test")).toBeVisible();
  await expect(page.getByText("for (const book of books) check(book);")).toBeVisible();
  expect(await isWide()).toBe(false);
  await page.getByLabel("Name of the new API").fill("Reading room");
  await page.getByRole("checkbox", { name: /^Reads \(/ }).press("Space");
  await page.getByRole("button", { name: "Import", exact: true }).press("Enter");

  await expect(page.getByText("Imported from Postman: 1 test, 0 circles, 1 credential")).toBeVisible();
  expect(await isWide()).toBe(false);
  await page.getByRole("link", { name: "Tests of Reading room" }).press("Enter");
  await expect(page.getByRole("link", { name: /^List books/ }).first()).toBeVisible();
});
