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

/** A member within a phrase: what stands before its name, and after it: "price", "in an item of books". */
export function nameMember(steps: Steps): { name: string; where: string } {
  const index = steps.findIndex((step) => typeof step === "number");
  if (index < 0) return { name: nameSteps(steps), where: "" };
  const list = nameSteps(steps.slice(0, index));
  return { name: nameSteps(steps.slice(index + 1)), where: list === "" ? " in an item" : ` in an item of ${list}` };
}

/** "another currency", "another value for inStock": only a word of its own is a noun in the singular. */
export function nameOther({ name, where }: { name: string; where: string }): string {
  if (name === "") return "another value";
  const isNoun = /^[a-z]+$/.test(name) && (!name.endsWith("s") || /(ss|us|is)$/.test(name));
  return isNoun ? `another ${name}${where}` : `another value for ${name}${where}`;
}

/** " in books"; nothing for the whole body. */
export function inList(steps: Steps): string {
  const name = nameSteps(steps);
  return name === "" ? "" : ` in ${name}`;
}
