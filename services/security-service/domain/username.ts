const longestUsername = 320;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controlCharacters = /[\u0000-\u001f\u007f]/;

/**
 * The form in which usernames are compared: spelling variants of one name (case, Unicode composition, width) are the
 * same account. Undefined when no account can have this name.
 */
export function usernameKey(username: string): string | undefined {
  const key = username.normalize("NFKC").trim().toLowerCase();
  if (key === "" || key.length > longestUsername || controlCharacters.test(key)) return undefined;
  return key;
}
