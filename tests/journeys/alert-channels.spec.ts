import { randomUUID } from "node:crypto";
import { follow, tabTo, typeInto } from "../support/keyboard.ts";
import { expect, test } from "../support/portal-test.ts";
import { findNewestEmail } from "../support/sandbox-emails.ts";

test("by keyboard alone a webhook is created and tested, and an address confirms that it wants alerts", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const name = `Night shift ${randomUUID().slice(0, 8)}`;
  await page.goto("/test-management/alert-rules");
  await follow(page, "link", /^Alert channels$/);
  await follow(page, "link", /^Create a channel$/);
  await tabTo(page, "radio", /^Email$/);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByLabel("Other addresses")).toBeHidden();
  await typeInto(page, /^Name$/, name);
  await typeInto(page, /^Webhook URL$/, `${targetApi.origin}/alerts`);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await follow(page, "link", /^Continue to the channel$/);
  await follow(page, "button", /^Send a test$/);
  await expect(page.getByRole("row", { name: `Test of the channel ${name}` })).toContainText("returned 404");
  expect(targetApi.requests.at(-1)!.headers["webhook-signature"]).toMatch(/^v1,/);

  const address = `${randomUUID().slice(0, 8)}@example.org`;
  await page.goto("/test-management/alert-channels/create");
  await typeInto(page, /^Name$/, `${name}, by email`);
  await typeInto(page, /^Other addresses/, address);
  await follow(page, "button", /^Create channel$/);
  await expect(page.getByRole("row", { name: address })).toContainText("Not confirmed yet");
  const email = await findNewestEmail(portal, address, /Send alerts to this address/);
  await page.goto(/href="([^"]*token=[^"]*)"/.exec(email)![1]!);
  await follow(page, "button", /^Yes, send alerts here$/);
  await expect(page.getByRole("heading", { name: "This address receives alerts" })).toBeVisible();
});
