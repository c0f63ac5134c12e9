import { toPlain, toSingular } from "../names.ts";

const wholeKey = /^_?(id|ids|uuid|guid)$/i;
const endsInKey = /^(.*?)(?:[_\-. ](?:id|ids|uuid|uuids|guid)|(?<=[a-z0-9])(?:Id|ID|Ids|IDs|Uuid|UUID|Guid|GUID))$/;
const endsInLowerKey = /[_\-. ](?:id|ids|uuid|uuids|guid)$/i;

/** Whether a member holds an identifier, and of what: `customer` for `customerId`, "" for `id`. */
export function findIdentified(name: string): { thing: string } | undefined {
  if (wholeKey.test(name)) return { thing: "" };
  const [, thing] = endsInKey.exec(name) ?? [];
  if (thing) return { thing };
  return endsInLowerKey.test(name) ? { thing: name.replace(endsInLowerKey, "") } : undefined;
}

/** Identifiers that the caller chooses. */
const chosenByCaller =
  /^(request|correlation|idempotency|trace|external|reference|client_?reference|nonce|transaction)$/i;

export function isChosenByCaller(thing: string): boolean {
  return chosenByCaller.test(thing);
}

const naming = new Set([
  ...["name", "title", "username", "login", "email", "emailaddress", "slug", "handle", "code", "displayname"],
  ...["fullname", "label", "subject", "key"],
]);

/** Whether a member names a new thing: `name`, or `bookTitle` of a book. */
export function isNaming(name: string, thing: string): boolean {
  const plain = toPlain(name);
  const own = toPlain(thing);
  return (
    naming.has(plain) ||
    plain.endsWith("email") ||
    (own !== "" && plain.startsWith(own) && naming.has(plain.slice(own.length)))
  );
}

/** The resource of a path: `book` for `/shops/{shop}/books/{id}` and `/books/v1`. */
export function getPathThing(path: string): string {
  const words = path
    .split(/[?#]/, 1)[0]!
    .split("/")
    .filter((part) => part !== "" && !part.includes("{"));
  const last = words.findLast((part) => !/^v\d/i.test(part)) ?? words.at(-1);
  return toSingular(last ?? "");
}

/** The parameter that a path ends with. */
export function getLastParameter(path: string): string | undefined {
  return /\/\{([^{}]+)\}\/?$/.exec(path.split(/[?#]/, 1)[0]!)?.[1];
}
