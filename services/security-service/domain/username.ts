const longestUsername = 320;
// biome-ignore lint/suspicious/noControlCharactersInRegex: detects control characters.
const controlCharacters = /[\u0000-\u001f\u007f]/;

/**
 * The form in which usernames are compared: variants of one name (case, Unicode composition, width) are the same
 * account. Undefined for names that no account can have.
 */
export function usernameKey(username: string): string | undefined {
  const key = username.normalize("NFKC").trim().toLowerCase();
  if (key === "" || key.length > longestUsername || controlCharacters.test(key)) return undefined;
  return key;
}
