/** The part of a name that a key has: lower-case letters and digits in words, at most 60 characters. */
export function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 60).replace(/^-|-$/g, "");
}

/** A key for a new name: its slug, with `-2`, `-3` and so on where others have it. */
export function freeKey(name: string, fallback: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name) || fallback;
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

/** The name of a secret, from the words that say where it is. */
export function secretNameOf(...words: string[]): string {
  const name = words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .slice(0, 100);
  return /^[A-Z]/.test(name) ? name : `S_${name}`.slice(0, 100);
}
