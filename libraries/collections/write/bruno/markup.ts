/** Blocks of Bruno's markup. */
export interface Entry {
  name: string;
  value: string;
  enabled?: boolean;
}

const indent = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");

const writeName = (name: string) => (/^[^\s":{}~@]+$/.test(name) ? name : `"${name.replace(/"/g, '\\"')}"`);

/** Several lines are between `'''`. */
function writeValue(value: string): string {
  return /[\r\n]/.test(value) ? `'''\n${indent(value)}\n'''` : value;
}

/** A block of names and values; empty text for none. */
export function writeDictionary(name: string, entries: readonly Entry[], keepNames = false): string {
  if (entries.length === 0) return "";
  const lines = entries.map((entry) => {
    const key = keepNames ? entry.name : writeName(entry.name);
    return indent(`${entry.enabled === false ? "~" : ""}${key}: ${writeValue(entry.value)}`.trimEnd());
  });
  return `${name} {\n${lines.join("\n")}\n}\n`;
}

/** A block of text, such as a body or a script; empty text for none. */
export function writeText(name: string, text: string): string {
  return text === "" ? "" : `${name} {\n${indent(text)}\n}\n`;
}

export function writeList(name: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${name} [\n${items.map((item) => `  ${item}`).join(",\n")}\n]\n`;
}

export const joinBlocks = (blocks: readonly string[]) => blocks.filter((block) => block !== "").join("\n");
