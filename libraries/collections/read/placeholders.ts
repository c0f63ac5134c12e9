import { generatedNames } from "#libraries/template/placeholders.ts";

/** Generated values of other tools, by the name of ours that does the same. */
const sameGenerated: Record<string, string> = {
  $randomUUID: "$uuid",
  $guid: "$guid",
  $uuid: "$uuid",
  $randomInt: "$randomInt",
  $timestamp: "$timestamp",
  $isoTimestamp: "$isoTimestamp",
  "$random.uuid": "$uuid",
  "$random.integer": "$randomInt",
};

/** A variable's name as tests may have it: letters, digits, `_` and `-`. */
export function toVariableName(name: string): string {
  const plain = name.trim().replace(/[^\w-]+/g, "_");
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, 99);
}

/**
 * Placeholders with names that tests may have. A generated value that isn't known becomes a variable of its name, which
 * `unknown` gets.
 */
export function toPlaceholders(text: string, unknown: (name: string) => void = () => {}): string {
  return text.replace(/\{\{([^{}]{1,200})\}\}/g, (whole, inner: string) => {
    const name = inner.trim();
    if (name === "") return whole;
    if (!name.startsWith("$")) return `{{${toVariableName(name)}}}`;
    const generated = sameGenerated[name.replace(/\(.*$/, "").split(/\s/)[0]!];
    if (generated && (generatedNames as readonly string[]).includes(generated)) return `{{${generated}}}`;
    unknown(name);
    return `{{${toVariableName(name.slice(1))}}}`;
  });
}

/** The name of a text that is nothing but a placeholder. */
export const wholePlaceholder = (text: string): string | undefined =>
  /^\s*\{\{\s*([^{}$][^{}]*?)\s*\}\}\s*$/.exec(text)?.[1];
