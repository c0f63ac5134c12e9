import { expect, type Page } from "@playwright/test";
import { href } from "../../app/href.ts";

interface OperationName {
  method: string;
  path: string;
}

export function newTestAddress(apiId: string, { method, path }: OperationName): string {
  return href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName: path, method });
}

/** Opens the editor for a new test of an operation. */
export async function openNewTest(page: Page, apiId: string, operation: OperationName): Promise<void> {
  // Its script may load later.
  await page.goto(newTestAddress(apiId, operation), { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New test");
}

/** A field by its form name, which is its path in the test. */
export function field(page: Page, name: string) {
  return page.locator(`[name="${name}"]`);
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Waits until the editor's script is active; before that its buttons post to the server. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const island = document.querySelector("[data-island=test-editor]");
    return island !== null && Object.keys(island).some((key) => key.startsWith("__reactContainer"));
  });
}
