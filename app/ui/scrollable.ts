/**
 * Attributes of a box that scrolls: whoever has no mouse must be able to reach it and know what it holds (WCAG 2.1.1).
 * A group and not a region, since a page with twenty examples must not have twenty landmarks.
 */
export function scrollable(label: string) {
  return { role: "group", "aria-label": label, tabIndex: 0 } as const;
}
