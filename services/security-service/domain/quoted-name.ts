const longestQuotedName = 100;

/**
 * A user-chosen name made safe for an email to someone else: one short line without anything that mail clients turn
 * into a link ("Pay at evil.com" as an organization's name) or that changes the direction of the surrounding text.
 */
export function quotedName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    // Links need a dot, colon or slash directly followed by a character.
    .replace(/[.。:/@](?=\S)/g, "$& ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const signs = [...plain];
  return signs.length > longestQuotedName ? `${signs.slice(0, longestQuotedName - 1).join("")}…` : plain;
}
