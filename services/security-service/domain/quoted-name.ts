const longestQuotedName = 100;

/**
 * A name that users chose, as it may stand in a letter to somebody else: one line, not long, and with nothing in it that
 * mail readers make a link of ("Pay at evil.com" as an organization's name) or that turns the words around it.
 */
export function quotedName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    // What a link needs: a dot, colon or slash with something right behind it.
    .replace(/[.。:/@](?=\S)/g, "$& ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const signs = [...plain];
  return signs.length > longestQuotedName ? `${signs.slice(0, longestQuotedName - 1).join("")}…` : plain;
}
