/** One person of a pasted list. */
export interface TypedAddress {
  /** As it was typed. */
  typed: string;
  /** Without the name around it. */
  address: string;
}

/** Commas, semicolons and line ends part entries, unless they stand in a quoted name, which has an end so that no text takes long: `"Doe, Jane" <jane@example.com>`. */
const entry = /(?:"(?:[^"\\\r\n]|\\.){0,200}"|[^,;\r\n])+/g;
const inBrackets = /<([^<>]*)>\s*$/;

/** The addresses in a text as people paste it out of mail, tables and lists. */
export function readTypedAddresses(text: string): TypedAddress[] {
  return [...text.matchAll(entry)].flatMap(([part]) => {
    const typed = part.trim();
    if (typed === "") return [];
    const within = inBrackets.exec(typed)?.[1];
    if (within !== undefined) return [{ typed, address: plain(within) }];
    // `a@example.com b@example.com`: blanks part plain addresses as well.
    const words = typed.split(/\s+/);
    const several = words.length > 1 && words.every((word) => word.includes("@"));
    return (several ? words : [typed]).map((one) => ({ typed: one, address: plain(one) }));
  });
}

const plain = (address: string) => address.trim().replace(/^mailto:/i, "");
