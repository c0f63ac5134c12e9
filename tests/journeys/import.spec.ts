import { expect, expectAccessible, test } from "../support/portal-test.ts";

const text = `@token = s3cret-of-parcels
### Read
GET https://parcels.example.com/parcels/7
Authorization: Bearer {{token}}

### Sent as bytes
POST https://parcels.example.com/parcels

< ./parcel.bin
`;

test("axe finds nothing in the review and the result of an import", async ({ signedIn: page }) => {
  await page.goto("/api-management/import");
  await expectAccessible(page);
  const file = { name: "parcels.http", mimeType: "text/plain", buffer: Buffer.from(text) };
  await page.getByLabel("Files").setInputFiles(file);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("parcels: read as .http")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("Imported from .http: 2 tests, 1 circle, 1 credential")).toBeVisible();
  await expectAccessible(page);
});
