/**
 * Attributes of a scrollable box: keyboard users must be able to reach it and know its content (WCAG 2.1.1). A group
 * and not a region, since a page with twenty examples must not have twenty landmarks.
 */
export function scrollable(label: string) {
  return { role: "group", "aria-label": label, tabIndex: 0 } as const;
}
