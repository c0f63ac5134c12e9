/** Tags in one line: `slow, "a, b"`. */
export function writeTags(tags: readonly string[]): string {
  return tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(", ");
}

/** Parses the output of `writeTags` and typed lists; empty entries and repeated tags are dropped. */
export function readTags(text: string): string[] {
  const tags: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)) {
    const tag = (quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"')).trim();
    if (tag && !tags.includes(tag)) tags.push(tag);
  }
  return tags;
}
