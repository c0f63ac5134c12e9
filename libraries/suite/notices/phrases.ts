import type { Steps } from "./change.ts";

const maxLength = 60;

function cut(text: string): string {
  return text.length > maxLength ? `${[...text].slice(0, maxLength).join("")}…` : text;
}

/** `price`, `author.name`, `"a b"`. */
function nameSteps(steps: Steps): string {
  const names = steps.filter((step) => typeof step === "string");
  return cut(names.map((name) => (/^[\p{L}\p{N}_$-]+$/u.test(name) ? name : JSON.stringify(name))).join("."));
}

/**
 * A member within a phrase: its name, and what comes after it: "price", " in an item of books". An item has no name; of lists within
 * lists the innermost comes first.
 */
export function nameMember(steps: Steps): { name: string; where: string } {
  const index = steps.findLastIndex((step) => typeof step === "number");
  const name = nameSteps(steps.slice(index + 1));
  if (index < 0) return { name, where: "" };
  const list = nameMember(steps.slice(0, index));
  return { name, where: ` in an item${list.name === "" ? "" : ` of ${list.name}`}${list.where}` };
}

/** "another currency", "another value for inStock": only a word of its own is a noun in the singular. */
export function nameOther({ name, where }: { name: string; where: string }): string {
  if (name === "") return "another value";
  const isNoun = /^[a-z]+$/.test(name) && (!name.endsWith("s") || /(ss|us|is)$/.test(name));
  return isNoun ? `another ${name}${where}` : `another value for ${name}${where}`;
}

/** " in books"; nothing for the whole body. */
export function inList(steps: Steps): string {
  const { name, where } = nameMember(steps);
  return name === "" ? where : ` in ${name}${where}`;
}
