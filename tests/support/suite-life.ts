import type { Page } from "@playwright/test";
import type { LifeApi } from "./life-api.ts";
import { expect } from "./portal-test.ts";
import { untilEnded } from "./run-life.ts";

/** Registered under a name of its own; everything else is as in the document. */
export function nameLibrary(): string {
  return `Library ${crypto.randomUUID().slice(0, 8)}`;
}

/** On the list of runs, after the circles of the library were started: the life of a book passed, and nothing is left of it. */
export async function expectPassedLife(page: Page, library: LifeApi, looksAgain: boolean): Promise<void> {
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByText("5 circles are running.")).toBeVisible();
  await page.getByRole("link", { name: "Life of a book" }).first().click();
  await untilEnded(page, looksAgain);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Life of a book");
  await expect(page.getByRole("row", { name: /Delete the book/ }).first()).toContainText(/Tear-down.*Passed/);
  await expect(page.getByRole("row", { name: /Check that the book no longer exists/ }).first()).toContainText("Passed");
  // The circle of invalid requests may still have its own.
  await expect.poll(() => library.books.size).toBe(0);
}

/** From the dashboard to the running circles that are ticked at first, in clicks and filled fields. */
export async function makeSuite(page: Page, library: LifeApi): Promise<{ clicks: number; fields: number }> {
  const counted = { clicks: 0, fields: 0 };
  const click = async (role: "link" | "button", name: string | RegExp) => {
    counted.clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  const fill = async (label: string | RegExp, text: string) => {
    counted.fields += 1;
    await page.getByLabel(label).fill(text);
  };
  await page.goto("/dashboard");
  await click("link", "Register an API");
  await fill("Document URL", library.documentUrl);
  await click("button", "Register");
  await expect(page.getByRole("heading", { name: "Generate tests", level: 1 })).toBeVisible();
  await fill(/^Key/, library.key);
  await click("button", "Store it");
  await expect(page.getByText("is stored, for")).toBeVisible();
  await click("button", /^Create and run/);
  return counted;
}
