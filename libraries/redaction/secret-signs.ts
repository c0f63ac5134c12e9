import type { KnownSecret } from "./patterns.ts";

/** Part of a request that has a name and a value. */
export type NamedPart = "header" | "query" | "cookie" | "form" | "json";

/** Shorter values protect nothing, and hiding them everywhere would destroy unrelated text. */
const minCharacters = 4;
/** A cookie that only its header makes a secret is hidden everywhere if it is at least this long. */
const minCookieCharacters = 8;

/** `X-Api-Key`, `apiKey` and `api_key` as `api key`. */
function listWords(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
  return words[0] === "x" && words.length > 1 ? words.slice(1) : words;
}

const alwaysSecret = new Set(["password", "passwd", "passphrase", "passcode", "pwd", "secret", "authorization", "jwt"]);
const secretAlone = new Set(["auth", "pass", "pw", "sig", "phpsessid", "sid"]);
/** Of lists that are read page by page, and of whatever continues where it was left. */
const positionTokens = new Set(["page", "next", "previous", "prev", "sync", "continuation", "cancellation", "cursor"]);
/** Followed by one of these, a word names a property of the secret. */
const properties = new Set("type id name length policy url uri endpoint expires expiry hint count limit".split(" "));
const secretEnd =
  /(password|passwd|passphrase|(client|api|app)secret|authorization|signature|(access|auth|api|refresh|id|bearer|session|csrf|xsrf|security)token|(api|app|application|access|auth|secret|private|subscription|functions?|signing|encryption|session|master|shared|license)key)$/;

/** Whether a header, parameter or member of this name carries a secret, as `X-Api-Key` and `client_secret` do. */
export function isSecretName(name: string): boolean {
  const words = listWords(name);
  const joined = words.join("");
  if (secretAlone.has(joined) || joined.endsWith("sessionid")) return true;
  if (properties.has(words.at(-1) ?? "")) return false;
  if (words.some((word) => alwaysSecret.has(word))) return true;
  if (words.at(-1) === "token") return !positionTokens.has(words.at(-2) ?? "");
  return secretEnd.test(joined);
}

/** Whether a header carries a secret, by its name or by its value. Such headers stay with their origin. */
export function isSecretHeader(name: string, value: string): boolean {
  return /^(set-)?cookie$/i.test(name) || isSecretName(name) || listSecrets("header", name, value).length > 0;
}

/** Secrets in a value that was typed into a request, by its name, its authentication scheme or its look. */
export function listSecrets(part: NamedPart, name: string, value: string): KnownSecret[] {
  if (part === "header" && /^(set-)?cookie$/i.test(name)) return value.split(";").flatMap((pair) => listCookie(pair));
  const found = [...(listCredentials(part, name, value) ?? listNamed(part, name, value)), ...listWebTokens(value)];
  return found.filter(({ secret }) => secret.length >= minCharacters && !isFiller(secret));
}

function listCookie(pair: string): KnownSecret[] {
  const equals = pair.indexOf("=");
  return listSecrets("cookie", pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
}

function looksRandom(value: string): boolean {
  return /^(?=\D*\d)(?=[^a-z]*[a-z])\S{16,}$/i.test(value);
}

function listNamed(part: NamedPart, name: string, value: string): KnownSecret[] {
  if (isSecretName(name) || (name.toLowerCase() === "key" && isKey(part, value))) return [{ secret: value.trim() }];
  if (part !== "cookie" || value === "") return [];
  return [{ secret: value.length >= minCookieCharacters ? value : `${name}=${value}` }];
}

/** Many JSON objects have a `key` that is a name. */
function isKey(part: NamedPart, value: string): boolean {
  if (part === "query" || part === "form") return true;
  return part === "json" && looksRandom(value);
}

const knownScheme =
  /^(bearer|basic|token|digest|apikey|negotiate|ntlm|hawk|oauth|dpop|gnap|aws4-hmac-sha256) +(\S.*)$/i;
const anyScheme = /^([!#$%&'*+.^_`|~\w-]+) +(\S.*)$/;
const token68 = /^[\w.~+/-]+=*$/;

/** RFC 9110, 11.4: a scheme with a token or parameters; undefined for any other value. */
function listCredentials(part: NamedPart, name: string, value: string): KnownSecret[] | undefined {
  const isAuthorization = part === "header" && /authorization$/i.test(name);
  if (/^(bearer|basic|token|digest)$/i.test(value.trim())) return [];
  const [, scheme, rest] = (isAuthorization ? anyScheme : knownScheme).exec(value.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const isNamed = isAuthorization || isSecretName(name);
  if (/^basic$/i.test(scheme)) return listBasic(rest, isNamed);
  if (token68.test(rest)) {
    // Elsewhere `Bearer shares` may be two words of a sentence.
    return isNamed || (/^bearer$/i.test(scheme) && (part === "header" || /\d|.{20}/.test(rest)))
      ? [{ secret: rest }]
      : undefined;
  }
  if (!isNamed) return undefined;
  const parameters = [...rest.matchAll(/([\w-]+)=(?:"([^"]*)"|([^\s",]+))/g)];
  const secrets = parameters.flatMap(([, parameter = "", quoted, plain]) =>
    /^(response|signature|mac|cnonce|credential)$|token$|secret$|key$|_signature$/i.test(parameter)
      ? [{ secret: quoted ?? plain ?? "" }]
      : [],
  );
  return secrets.length > 0 ? secrets : [{ secret: rest }];
}

/** RFC 7617: the pair as it is sent, and its password alone. */
function listBasic(pair: string, isNamed: boolean): KnownSecret[] | undefined {
  const decoded = token68.test(pair) ? decodeBase64(pair) : "";
  const [username, password] = [decoded.slice(0, decoded.indexOf(":")), decoded.slice(decoded.indexOf(":") + 1)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a pair of texts has none
  const isPair = decoded.includes(":") && !/[\0-\x1f\ufffd]/.test(decoded);
  if (!isPair) return isNamed ? [{ secret: pair }] : undefined;
  return [{ secret: pair }, password.length >= minCharacters ? { secret: password, username } : { secret: decoded }];
}

function decodeBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

const webToken = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w.-]*/g;

/** JSON Web Tokens (RFC 7519), wherever they are: their header is a JSON object in base64url. */
export function listWebTokens(text: string): KnownSecret[] {
  return [...text.matchAll(webToken)].map(([secret]) => ({ secret }));
}

/** Written where no value is known, such as by the sampler of documents. */
function isFiller(value: string): boolean {
  return /^(true|false|null|undefined)$/.test(value) || (value.length >= 6 && "string".repeat(20).startsWith(value));
}
