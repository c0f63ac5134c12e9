import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { fillCredential } from "#libraries/openapi/answering-credential.ts";
import { describeAlternatives } from "#libraries/openapi/scheme-words.ts";
import { type Alternatives, listUnanswered } from "#libraries/openapi/unanswered-schemes.ts";
import { shorten } from "#libraries/text/shorten.ts";

/** A credential that the document asks for and that is not stored. */
export interface UnansweredNeed {
  kind: "unanswered";
  host: string;
  /** For example "an API key in X-API-Key". */
  wanted: string;
  /** What other operations ask for and is not stored either, in the same words. */
  others: string[];
  /** The scheme to answer first. */
  schemeName: string;
  filled: FilledForm;
}

/** A credential of the host of an API whose document asks for none: whether tests send it is undecided. */
export interface HostQuestion {
  kind: "question";
  host: string;
  credentialNames: string[];
}

export type AuthenticationNeed = UnansweredNeed | HostQuestion;

/** Fields of a credential's form, without secrets. */
export interface FilledForm {
  name: string;
  domain: string;
  types: [CredentialType, ...CredentialType[]];
  settings: CredentialSettings;
}

export function fillForm(scheme: SecurityScheme, host: string): FilledForm {
  return { name: shorten(`${scheme.name} of ${host}`, 200), domain: host, ...fillCredential(scheme) };
}

/**
 * What the requirements of operations still lack at a host; undefined if nothing.
 * @param requirements the most frequent first; it is the one that is answered first
 */
export function toNeed(
  requirements: readonly Alternatives[],
  schemes: readonly SecurityScheme[],
  { host, isAnswered }: { host: string; isAnswered: (scheme: SecurityScheme) => boolean },
): UnansweredNeed | undefined {
  const find = (name: string) => schemes.find((scheme) => scheme.name === name);
  const isKnownAnswer = (name: string) => {
    const scheme = find(name);
    // A name that the document doesn't explain can't be answered by anybody.
    return !scheme || isAnswered(scheme);
  };
  const lacking = requirements
    .map((alternatives) => listUnanswered(alternatives, isKnownAnswer))
    .filter((alternatives) => alternatives.length > 0);
  const [first] = lacking;
  if (!first) return undefined;
  const [simplest] = first.toSorted((one, other) => one.length - other.length);
  const scheme = find(simplest![0]!)!;
  const [wanted, ...others] = new Set(lacking.map((alternatives) => describeAlternatives(alternatives, schemes)));
  return { kind: "unanswered", host, wanted: wanted!, others, schemeName: scheme.name, filled: fillForm(scheme, host) };
}
