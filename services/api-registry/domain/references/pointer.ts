/** JSON pointers, RFC 6901. */
export function escapeToken(token: string): string {
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === "number" ? key : escapeToken(key)}`;
}

export function toTokens(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => (token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token));
}
