/** Words that identify a thing, best first: `id` of `bookId`. */
export const identifierWords = ["id", "uuid", "guid", "key", "slug", "code", "number", "name", "ref"] as const;

/** Those that name another resource where they end a member's name: `authorId`, but not `displayName`. */
const referringWords = new Set(["id", "ids", "uuid", "uuids", "guid", "guids", "key", "slug", "ref"]);

/** Words that every resource has: `/events?type=` and `/tags?type=` want different values. */
const sharedWords = new Set([
  ...identifierWords,
  ...[
    "type",
    "kind",
    "status",
    "state",
    "category",
    "filter",
    "sort",
    "value",
    "query",
    "search",
    "from",
    "to",
    "date",
  ],
]);

/** Letters and digits in lower case: `book_id`, `bookId` and `Book-ID` are one name. */
export const toPlain = remembered((name) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase());

const maxRemembered = 20_000;

/** A document has few names, each of them in many places. */
function remembered<Result>(read: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= maxRemembered) known.clear();
    const result = read(name);
    known.set(name, result);
    return result;
  };
}

/** `bookId`, `book_id` and `BookID` as `["book", "id"]`. */
export const toWords = remembered((name): readonly string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase()),
);

const irregular: Record<string, string> = {
  people: "person",
  children: "child",
  men: "man",
  women: "woman",
  indices: "index",
  statuses: "status",
  addresses: "address",
  series: "series",
  news: "news",
  media: "media",
  data: "data",
};

/** The singular of an English noun, where it is evident from its ending. */
export function toSingular(word: string): string {
  const lower = word.toLowerCase();
  if (Object.hasOwn(irregular, lower)) return irregular[lower]!;
  if (/[^aeiou]ies$/.test(lower)) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|zz)es$/.test(lower)) return word.slice(0, -2);
  return /[^su]s$/.test(lower) && !/[sx]is$/.test(lower) ? word.slice(0, -1) : word;
}

/** Whether two words name one thing, whichever is the plural. */
export function isSameThing(one: string, other: string): boolean {
  return (
    one !== "" && other !== "" && (toSingular(one) === toSingular(other) || one === `${other}s` || other === `${one}s`)
  );
}

/** `book` and `id` for `bookId`; no thing for `id`, and no identifier for `title`. */
export function splitName(name: string): { thing: string; identifier: string } {
  const words = toWords(name);
  const last = words.at(-1) ?? "";
  if ((identifierWords as readonly string[]).includes(last)) {
    return { thing: words.slice(0, -1).join(""), identifier: last };
  }
  // "username" and "petid" are written as one word.
  const fused = identifierWords.find((word) => word !== "ref" && last.length > word.length + 1 && last.endsWith(word));
  if (!fused || (fused === "id" && /(?:gr|pa|vo|va|ra|la|ma|so|fl|hum|flu|inval)id$/.test(last))) {
    return { thing: words.join(""), identifier: "" };
  }
  return { thing: [...words.slice(0, -1), last.slice(0, -fused.length)].join(""), identifier: fused };
}

/** The thing that a member refers to: `author` for `authorId`, `author_ids`; undefined where it names none. */
export function toReferredThing(name: string): string | undefined {
  const words = toWords(name);
  const last = words.at(-1) ?? "";
  if (words.length > 1 && referringWords.has(last)) return words.slice(0, -1).join("");
  return undefined;
}

export const isShared = (name: string) => {
  const words = toWords(name);
  return words.length === 1 && sharedWords.has(words[0]!);
};

/** A variable's name from words: `bookId`. */
export function toVariable(words: readonly string[]): string {
  const [first = "", ...others] = words.flatMap((word) => word.split(/[^A-Za-z0-9_-]+/)).filter(Boolean);
  const name = [first, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
  return (/^[A-Za-z_]/.test(name) ? name : `_${name}`).slice(0, 100);
}
