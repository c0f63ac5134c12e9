import type { Page } from "@playwright/test";

type Reached = "link" | "button" | "textbox" | "searchbox" | "radio" | "checkbox" | "combobox";

/** Presses Tab until the given element has the focus, as a keyboard user does. */
export async function tabTo(page: Page, role: Reached, name: RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 200; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${role} ${name}`);
}

export async function follow(page: Page, role: "link" | "button", name: RegExp): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press("Enter");
}

export async function typeInto(page: Page, name: RegExp, text: string, role: Reached = "textbox"): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

export async function tick(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, "checkbox", name);
  await page.keyboard.press("Space");
}
