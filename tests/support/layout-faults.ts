import type { Page } from "@playwright/test";

/** Elements whose text is cut on purpose: what they have in full elsewhere, or hide for readers. */
const cutOnPurpose = "[class*=nameWithTags], [class*=illustration], [class*=toast], pre, textarea, svg";

/**
 * What is wrong with a page's layout as displayed now, in words, each with the text it concerns: words broken in their
 * middle in tables, text that is cut without "…", text over other text, controls that are smaller than 24 px, and
 * headings without words. Of an open dialog's page only the dialog is judged.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  return await page.evaluate((cutOnPurpose) => {
    const root = document.querySelector<HTMLElement>("dialog[open]") ?? document.body;
    const style = (element: Element) => getComputedStyle(element);
    const shorten = (words: string) => words.replace(/\s+/g, " ").trim().slice(0, 60);
    const at = (element: Element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}`;

    function* ancestors(element: Element | null): Generator<Element> {
      for (let one = element; one; one = one.parentElement) yield one;
    }

    /** For screen readers only, or transparent. */
    const isUnseen = (element: Element): boolean =>
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
      [...ancestors(element)].some((one) => style(one).clipPath !== "none" || one.matches("[aria-hidden=true] text"));

    /** Above the page's flow: what is under it shows when it is closed or scrolled. */
    const floats = (element: Element): boolean =>
      [...ancestors(element)].some(
        (one) => one !== root && (/fixed|sticky/.test(style(one).position) || one.matches("[popover], dialog")),
      );

    /** The part of a box that its ancestors do not cut off. */
    function visiblePart(element: Element, box: DOMRect): DOMRect {
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      for (const one of ancestors(element)) {
        const { overflowX, overflowY } = style(one);
        const edge = one.getBoundingClientRect();
        if (overflowX !== "visible") [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        if (overflowY !== "visible") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        if (one === root) break;
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    }

    const texts: { element: Element; node: Text }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const element = node.parentElement;
      if (!element || !node.data.trim() || element.closest("script, style, option, textarea, noscript")) continue;
      if (!isUnseen(element)) texts.push({ element, node });
    }

    function* brokenWords(): Generator<string> {
      const range = document.createRange();
      for (const { element, node } of texts) {
        if (!element.closest("td, th") || element.closest("code, pre")) continue;
        for (const { 0: word, index } of node.data.matchAll(/\p{L}{2,20}/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          // Part of a name without spaces, such as an id or an address, may break.
          const around = node.data.slice(0, index).match(/\S*$/)![0] + node.data.slice(index).match(/^\S*/)![0];
          if (tops.size > 1 && around.length <= 20) yield `broken word: "${word}" in "${shorten(node.data)}"`;
        }
      }
    }

    function* cutTexts(): Generator<string> {
      for (const element of new Set(texts.map(({ element }) => element))) {
        for (const one of ancestors(element)) {
          const { overflowX, overflowY, textOverflow, webkitLineClamp } = style(one);
          if (webkitLineClamp !== "none") break;
          if (one === root || /auto|scroll/.test(overflowX + overflowY) || one.matches(cutOnPurpose)) break;
          const wide =
            /hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && one.scrollWidth > one.clientWidth + 1;
          const tall =
            /hidden|clip/.test(overflowY) && textOverflow !== "ellipsis" && one.scrollHeight > one.clientHeight + 3;
          if (wide || tall) yield `cut text: ${at(one)} "${shorten(one.textContent ?? "")}"`;
          if (overflowX !== "visible") break;
        }
      }
    }

    function* overlaps(): Generator<string> {
      const range = document.createRange();
      const boxes = texts.flatMap(({ element, node }) => {
        if (floats(element)) return [];
        range.selectNodeContents(node);
        return [...range.getClientRects()]
          .map((box) => visiblePart(element, box))
          .filter(({ width, height }) => width > 2 && height > 2)
          .map((box) => ({ box, node }));
      });
      boxes.sort((one, other) => one.box.top - other.box.top);
      for (const [index, { box, node }] of boxes.entries()) {
        for (let next = index + 1; next < boxes.length && boxes[next]!.box.top < box.bottom - 4; next += 1) {
          const other = boxes[next]!;
          const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          const down = Math.min(box.bottom, other.box.bottom) - other.box.top;
          // Line boxes are taller than their letters.
          const isOver = across > 2 && down > 0.4 * Math.min(box.height, other.box.height);
          if (other.node !== node && isOver)
            yield `text over text: "${shorten(node.data)}" and "${shorten(other.node.data)}"`;
        }
      }
    }

    function* smallControls(): Generator<string> {
      const controls = "button, select, textarea, summary, input:not([type=hidden], [type=checkbox], [type=radio])";
      for (const control of root.querySelectorAll<HTMLElement>(controls)) {
        const { width, height } = control.getBoundingClientRect();
        if (isUnseen(control) || (width === 0 && height === 0)) continue;
        if (width < 23.5 || height < 23.5)
          yield `small control: ${at(control)} "${shorten(control.textContent || (control as HTMLInputElement).name)}" ${Math.round(width)} × ${Math.round(height)}`;
      }
    }

    function* emptyHeadings(): Generator<string> {
      for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
        if (heading.checkVisibility() && !heading.textContent?.trim()) yield `empty heading: ${at(heading)}`;
      }
    }

    const wider = document.documentElement.scrollWidth - innerWidth;
    const sideways = wider > 0 ? [`the page is ${wider} px wider than its window`] : [];
    return [
      ...new Set([...sideways, ...brokenWords(), ...cutTexts(), ...overlaps(), ...smallControls(), ...emptyHeadings()]),
    ];
  }, cutOnPurpose);
}
