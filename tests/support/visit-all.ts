import type { Page } from "@playwright/test";
import { expect, expectAccessible, rulesOfColour, test } from "./portal-test.ts";
import { mayBeTall, tallRows } from "./row-lines.ts";

const widths = [1280, 360];

/** Runs in the page. axe no longer looks for them where no label leads to one. */
function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

/**
 * Visits every page once and looks at it in both themes and widths; axe must find nothing, and no page may be wider than
 * its window or break the script policy. A theme changes colours and nothing else, so in the dark one only they are judged.
 */
export async function visitAll(page: Page, paths: string[]): Promise<void> {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      expect(await page.evaluate(repeatedIds), "ids that stand more than once").toEqual([]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: "light" });
        await expectAccessible(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await expectAccessible(page, rulesOfColour);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `pixels the page is wider than ${width}`).toBeLessThanOrEqual(0);
        if (width === 360 && !mayBeTall(path)) expect(await tallRows(page, 3), "rows of more than 3 lines").toEqual([]);
      }
    });
  }
  expect(refused).toEqual([]);
}
