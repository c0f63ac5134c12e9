/** A name for a file or an identifier: letters, digits and hyphens. */
export function toSlug(name: string, fallback: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/[^\w]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .toLowerCase()
    .slice(0, 60);
  return slug === "" ? fallback : slug;
}

/** Gives each name once: the second `a` is `a-2`. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = `${name}-${number}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** A name without line breaks and control characters. */
export function toOneLine(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these end a line or are not seen
  return name.replace(/[\0-\x1f\x7f\u2028\u2029]+/g, " ").trim();
}
