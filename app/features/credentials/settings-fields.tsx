import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import * as styles from "./credential-fields.css";

type Settings = Required<{
  [Name in keyof CredentialSettings]: FieldMetadata<CredentialSettings[Name], Record<string, unknown>, string[]>;
}>;

/** Digest shares Basic's fields: a form has one field per name. */
const groupOf = (type: CredentialType) => (type === "digest" ? "basic" : type);

/** The settings of each of these types apart from its secret, one group per type. */
export function SettingsFields({ settings, types }: { settings: Settings; types: readonly CredentialType[] }) {
  const groups = [...new Set(types.map(groupOf))];
  if (types.length === 1) return credentialKinds[groups[0]!].renderFields?.(settings);
  return groups.map((type) => {
    const { name, groupName = `${name} only`, renderFields } = credentialKinds[type];
    if (!renderFields) return null;
    return (
      <Group key={type} name={groupName} className={styles.groups[type]}>
        {renderFields(settings)}
      </Group>
    );
  });
}

function Group({ name, className, children }: { name: string; className: string; children: ReactNode }) {
  return (
    <FieldsetGroup legend={<span className={styles.groupName}>{name}</span>} className={className}>
      <Stack>{children}</Stack>
    </FieldsetGroup>
  );
}
