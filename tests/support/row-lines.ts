import type { Page } from "@playwright/test";

/** Pages whose rows contain more than fits into three lines. New lists must not be added. */
const taller =
  // A week of each schedule, and everything that a change of plan pauses, listed in full before it is confirmed.
  // What was changed by whom, with its name in full.
  // Of a test: verdict, name, operation and reason in full, each on its own line; of an operation: its responses;
  // of an API: state, runs, availability and time.
  // Tables in the documentation are no lists but text.
  /^(https?:\/\/[^/]+)?(\/test-management\/schedules|\/docs\/[^/]+|\/administration\/audit-log|\/dashboard|\/api-management\/list|\/test-management\/select-api|\/test-management\/[^/]+\/(tests|manage)|\/subscriptions\/[^/]+\/plan)(\?|$)/;

export const mayBeTall = (path: string) => taller.test(path);

/** Rows of the page's tables that take more lines than these, each with its number of lines. */
export async function tallRows(page: Page, max: number): Promise<string[]> {
  return await page.locator("tbody tr").evaluateAll((rows, max) => {
    // Overlapping boxes form one line: a badge next to words is taller than they are.
    function toLines(row: Element): number {
      const range = document.createRange();
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const boxes: DOMRect[] = [];
      const isHidden = (element: Element | null): boolean =>
        element !== null && (getComputedStyle(element).clipPath !== "none" || isHidden(element.parentElement));
      while (texts.nextNode()) {
        // Content that is visible only on hover takes no line.
        const { parentElement } = texts.currentNode;
        if (!parentElement?.checkVisibility() || isHidden(parentElement)) continue;
        range.selectNodeContents(texts.currentNode);
        // Content for screen readers only is one pixel wide.
        boxes.push(...[...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1));
      }
      boxes.sort((one, other) => one.top - other.top);
      let lines = 0;
      let bottom = Number.NEGATIVE_INFINITY;
      for (const box of boxes) {
        if (box.top >= bottom - 2) {
          lines += 1;
          bottom = box.bottom;
        }
      }
      return lines;
    }
    return rows
      .filter((row) => row.getClientRects().length > 0)
      .map((row) => ({ lines: toLines(row), words: (row as HTMLElement).innerText.replace(/\s+/g, " ").slice(0, 60) }))
      .filter(({ lines }) => lines > max)
      .map(({ lines, words }) => `${lines}: ${words}`);
  }, max);
}
