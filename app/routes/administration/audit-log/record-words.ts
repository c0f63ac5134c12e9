/** `changeUser` as “change user”, `alert-channel` as “alert channel”. */
export function plainWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
}

export const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
