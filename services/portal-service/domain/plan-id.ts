/** Path segments of pages next to those of plans. */
const segments = ["create"];

/** A plan's id for use in URLs: its first name in lower-case letters and digits, numbered when that id is taken. */
export function planIdFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const wanted = plain || "plan";
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.includes(id) && !segments.includes(id)) return id;
  }
}
