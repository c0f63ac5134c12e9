/** One entry of a pasted list. */
export interface TypedAddress {
  /** As it was typed. */
  typed: string;
  /** Without the name around it. */
  address: string;
}

/**
 * Commas, semicolons and line breaks separate entries, except within a quoted name: `"Doe, Jane" <jane@example.com>`.
 * Its length is bounded so that no text takes long.
 */
const entry = /(?:"(?:[^"\\\r\n]|\\.){0,200}"|[^,;\r\n])+/g;
const inBrackets = /<([^<>]*)>\s*$/;

/** Extracts the addresses from text pasted out of mail, tables and lists. */
export function readTypedAddresses(text: string): TypedAddress[] {
  return [...text.matchAll(entry)].flatMap(([part]) => {
    const typed = part.trim();
    if (typed === "") return [];
    const within = inBrackets.exec(typed)?.[1];
    if (within !== undefined) return [{ typed, address: plain(within) }];
    // `a@example.com b@example.com`: blanks separate plain addresses as well.
    const words = typed.split(/\s+/);
    const several = words.length > 1 && words.every((word) => word.includes("@"));
    return (several ? words : [typed]).map((one) => ({ typed: one, address: plain(one) }));
  });
}

const plain = (address: string) => address.trim().replace(/^mailto:/i, "");
