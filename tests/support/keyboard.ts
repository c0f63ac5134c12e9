import type { Page } from "@playwright/test";

type Reached = "link" | "button" | "textbox" | "searchbox" | "radio" | "checkbox" | "combobox";

/** Presses Tab until the given element has the focus, as a keyboard user does. Returns how often. */
export async function tabTo(page: Page, role: Reached, name: RegExp): Promise<number> {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 200; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return presses;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${role} ${name}`);
}

export async function follow(page: Page, role: "link" | "button", name: RegExp): Promise<number> {
  const presses = await tabTo(page, role, name);
  await page.keyboard.press("Enter");
  return presses;
}

/** Takes the skip link of a page that has just opened. */
export async function skip(page: Page, to: "content" | "the list" = "content"): Promise<number> {
  return await follow(page, "link", new RegExp(`^Skip to ${to}$`));
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
