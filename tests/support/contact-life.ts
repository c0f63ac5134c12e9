import type { Page } from "@playwright/test";
import type { RunningPortal } from "./portal-process.ts";
import { expect } from "./portal-test.ts";
import { findNewestEmail } from "./sandbox-emails.ts";

/** Sends a message to the operators of the portal, at first with an address that they can't reply to. */
export async function writeMessage(page: Page, portal: RunningPortal, subject: string): Promise<void> {
  await page.goto(`/contact?subject=${encodeURIComponent(subject)}`);
  await expect(page.getByLabel("Subject")).toHaveValue(subject);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@nowhere");
  await page.getByLabel("Message").fill("Which plan fits\ntwo teams?");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("link", { name: /^Enter an email address/ }).click();
  await expect(page.getByLabel("Email address")).toBeFocused();
  await expect(page.getByLabel("Message")).toHaveValue("Which plan fits\ntwo teams?");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your message was sent");

  const address = await page.getByRole("contentinfo").getByRole("link", { name: /@/ }).innerText();
  expect(await findNewestEmail(portal, address, new RegExp(subject))).toContain("Which plan fits");
}
