import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import type { CredentialType, SettingsOf } from "#contracts/security-service/credential-types/settings.ts";

type Fields<Settings> = Required<{
  [Name in keyof Settings]: FieldMetadata<Settings[Name], Record<string, unknown>, string[]>;
}>;

/** What pages say of one type, and its part of the form. */
export interface CredentialKind<Type extends CredentialType> {
  name: string;
  hint: string;
  /** What its secret is called. */
  secretName: string;
  /** How it is sent, without its secret. */
  describe?(settings: SettingsOf<Type>): string;
  /** What it wants beside its secret; absent where another type's group of fields is shown for it, or none. */
  renderFields?(settings: Fields<SettingsOf<Type>>): ReactNode;
  /** The group's name, where it is not the type's own. */
  groupName?: string;
  /** What is chosen before anybody chooses. */
  chosen?: SettingsOf<Type>;
}

/** For whatever is typed as code is: identifiers, addresses, names of headers. */
export const code = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;
