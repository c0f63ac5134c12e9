import { toDisplayName } from "#contracts/kit/display-name.ts";
/** The claims of a provider that are used. */
export interface ProvenPerson {
  subject: string;
  email: string;
  /** Undefined when the provider does not say. */
  emailVerified: boolean | undefined;
  /** The organization that the account belongs to according to Google. */
  hostedDomain: string;
  fullName: string;
  username: string;
  /** Values of the claim that roles are derived from. */
  roleValues: string[];
  usedSecondFactor: boolean;
}

type Claims = Record<string, unknown>;

/**
 * Google's issuer accepts every address, including those of people who have left the organization that gave it to them.
 */
export const google = "https://accounts.google.com";

/** Names that providers use for multi-factor sign-ins, in addition to RFC 8176's `mfa`. */
const strongContexts = [
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  "https://refeds.org/profile/mfa",
  "urn:okta:loa:2fa:any",
  "phr",
  "phrh",
];

const toText = (value: unknown) => (typeof value === "string" ? value.trim() : "");

/** A string or a list of strings; any other value counts as none. */
function toTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(toText).filter(Boolean);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters.
const oneLine = (text: string) => toDisplayName(text.replace(/[\u0000-\u001f\u007f]+/g, " "), 200);

// Some providers send it as a string.
const getBoolean = (value: unknown) => (value === undefined || value === null ? undefined : String(value) === "true");

/** @param idToken the signed claims, the only source for how the user signed in */
export function readPerson(claims: Claims, idToken: Claims, rolesClaim: string): ProvenPerson {
  const email = toText(claims.email);
  const name = toText(claims.name) || [claims.given_name, claims.family_name].map(toText).filter(Boolean).join(" ");
  const username = toText(claims.preferred_username) || email;
  const localPart = username.split("@")[0]?.replace(/[^\p{L}\p{N}._-]/gu, "") ?? "";
  return {
    subject: toText(idToken.sub),
    email,
    emailVerified: getBoolean(claims.email_verified),
    hostedDomain: toText(idToken.hd).toLowerCase(),
    fullName: oneLine(name || username),
    username: localPart.slice(0, 40) || "member",
    roleValues: rolesClaim !== "" && Object.hasOwn(claims, rolesClaim) ? toTexts(claims[rolesClaim]) : [],
    usedSecondFactor: toTexts(idToken.amr).includes("mfa") || strongContexts.includes(toText(idToken.acr)),
  };
}

export const toDomain = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/** Whether mail can be addressed to it: a host with a port, a wildcard or an IP address has no mailboxes. */
export const isMailDomain = (name: string): boolean => /^(?!\*)[^:[\]]+\.[^:.[\]]*[^\d:.[\]][^:.[\]]*$/.test(name);

/** Why the provider's claims do not sign the user in; undefined when they do. */
export function findPersonError(
  person: ProvenPerson,
  { issuer, domains }: { issuer: string; domains: readonly string[] },
): string | undefined {
  const { email, emailVerified, hostedDomain } = person;
  if (!/.@./.test(email)) return "The provider did not send your email address: it has to send the claim email.";
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) return "What the provider sent is no email address.";
  if (emailVerified === false)
    return `The provider says that your email address ${email} is not verified. Verify it there, then sign in again.`;
  const domain = toDomain(email);
  if (!domains.includes(domain))
    return `Your organization's single sign-on is not for addresses at ${domain}, so ${email} can't sign in with it.`;
  if (issuer === google && hostedDomain !== domain)
    return `This Google account is not managed by ${domain}. Choose the account that your organization gave you.`;
  return undefined;
}

export interface RoleRules<Role> {
  rolesClaim: string;
  roles: readonly { value: string; role: Role }[];
  usualRole: Role | null;
}

/**
 * The roles that the provider's values give, each once; with none, the sign-in is refused.
 * @param held roles of an existing account, unchanged when no claim is configured
 */
export function rolesFor<Role extends string>(
  { roleValues }: Pick<ProvenPerson, "roleValues">,
  { rolesClaim, roles, usualRole }: RoleRules<Role>,
  held: readonly string[] | undefined,
): string[] {
  if (held && rolesClaim === "") return [...held];
  const given = roles.filter(({ value }) => roleValues.includes(value)).map(({ role }) => role);
  if (given.length > 0) return [...new Set(given)];
  return usualRole === null ? [] : [usualRole];
}
