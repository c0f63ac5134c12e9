import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { RunningPortal } from "./portal-process.ts";
import { expect } from "./portal-test.ts";
import { acceptInvitation } from "./registered-account.ts";

/** Ten new people, as a pasted list. */
export function tenPeople() {
  const domain = `${randomUUID().slice(0, 8)}.example.com`;
  const emails = Array.from({ length: 10 }, (_, number) => `person${number}@${domain}`);
  return { domain, emails, pasted: `Ada Lovelace <${emails[0]}>; ${emails.slice(1).join(", ")}` };
}

/** An administrator invites ten people at once, sees which invitations are open, and changes a role, on a signed-in page. */
export async function bringPeopleIn(page: Page, portal: RunningPortal): Promise<void> {
  const { domain, emails, pasted } = tenPeople();
  await page.goto("/administration");
  await page.getByRole("link", { name: "Invitations" }).click();
  await page.getByRole("link", { name: "Invite people" }).click();
  await page.getByLabel("Email addresses").fill(`${pasted}, nobody`);
  await page.getByRole("button", { name: "Send invitations" }).click();
  await expect(page.getByText("10 people are invited", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Email addresses")).toHaveValue("nobody");
  await expect(page.getByRole("row").filter({ hasText: "nobody" })).toContainText("Enter an email address");

  await acceptInvitation(portal, emails[0]!);
  await page.getByRole("link", { name: "See pending invitations" }).click();
  await page.getByLabel("Search by email").fill(domain);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row").filter({ hasText: domain })).toHaveCount(9);
  await page.getByRole("link", { name: emails[1]!, exact: true }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("The invitation was sent again with a new link.")).toBeVisible();

  await page.getByRole("link", { name: "Users", exact: true }).first().click();
  await page.getByLabel("Search by name or email").fill(emails[0]!);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await page.getByRole("button", { name: "Assign the role Editor" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Can register APIs" })).toContainText("Assigned");
  await page.getByRole("link", { name: "Remove the role Viewer" }).click();
  await page.getByRole("button", { name: "Remove the role" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Can view APIs" })).toContainText("No");
}
