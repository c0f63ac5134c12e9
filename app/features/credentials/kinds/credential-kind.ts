import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import type { CredentialType, SettingsOf } from "#contracts/security-service/credential-types/settings.ts";

type Fields<Settings> = Required<{
  [Name in keyof Settings]: FieldMetadata<Settings[Name], Record<string, unknown>, string[]>;
}>;

/** The texts of one type, and its part of the form. */
export interface CredentialKind<Type extends CredentialType> {
  name: string;
  hint: string;
  /** Label of its secret. */
  secretName: string;
  /** How it is sent, without its secret. */
  describe?(settings: SettingsOf<Type>): string;
  /** Its fields besides the secret; absent where it has none or shares another type's group. */
  renderFields?(settings: Fields<SettingsOf<Type>>): ReactNode;
  /** The group's name, if it differs from the type's. */
  groupName?: string;
  /** The initial choice. */
  chosen?: SettingsOf<Type>;
}

/** For values typed as code: identifiers, addresses, header names. */
export const code = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;
