import type { Page } from "@playwright/test";
import { findLayoutFaults } from "./layout-faults.ts";
import { expect, expectAccessible, rulesOfColour, test } from "./portal-test.ts";
import { mayBeTall, tallRows } from "./row-lines.ts";

interface Look {
  width: number;
  colorScheme: "light" | "dark";
}

/** Each differs from the previous one in one property, which is the only reason for the browser to lay out or colour a page again. */
const looks: Look[] = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 360, colorScheme: "dark" },
  { width: 360, colorScheme: "light" },
];

/** Runs in the page. axe no longer looks for them where no label leads to one. */
function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

/** A theme changes only colours, so only the rules about them are checked in the dark one. */
async function judge(page: Page, path: string, { width, colorScheme }: Look): Promise<void> {
  await expectAccessible(page, colorScheme === "dark" ? rulesOfColour : undefined);
  if (colorScheme === "light") expect(await findLayoutFaults(page), `faults of the layout at ${width}`).toEqual([]);
  if (width === 360 && colorScheme === "light" && !mayBeTall(path))
    expect(await tallRows(page, 3), "rows of more than 3 lines").toEqual([]);
}

/** Judges the state that a page is in, such as with an open dialog, in both themes and widths. */
export async function judgeAll(page: Page, state: string): Promise<void> {
  for (const look of looks) {
    await test.step(`${state} at ${look.width}, ${look.colorScheme}`, async () => {
      await page.setViewportSize({ width: look.width, height: 800 });
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await judge(page, page.url(), look);
    });
  }
}

/**
 * Visits every page once and checks it in both themes and widths; axe must find nothing, and no page may have
 * faults of its layout or violate the script policy.
 */
export async function visitAll(page: Page, paths: string[]): Promise<void> {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(`${page.url()}: ${message.text()}`);
  });
  let displayed: Look | undefined;
  const show = async (look: Look) => {
    if (look.width !== displayed?.width) await page.setViewportSize({ width: look.width, height: 800 });
    if (look.colorScheme !== displayed?.colorScheme) await page.emulateMedia({ colorScheme: look.colorScheme });
    displayed = look;
  };
  for (const [index, path] of paths.entries()) {
    await test.step(path, async () => {
      // Every second page starts in the mode in which the previous one ended.
      const order = index % 2 ? [...looks].reverse() : looks;
      await show(order[0]!);
      await page.goto(path);
      expect(await page.evaluate(repeatedIds), "ids that stand more than once").toEqual([]);
      for (const look of order) {
        await show(look);
        await judge(page, path, look);
      }
    });
  }
  expect(refused).toEqual([]);
}
