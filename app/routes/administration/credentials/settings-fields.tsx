import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { credentialTypes } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import * as styles from "./credential-fields.css";

type Settings = Required<{
  [Name in keyof CredentialSettings]: FieldMetadata<CredentialSettings[Name], Record<string, unknown>, string[]>;
}>;

/** The settings of each type apart from its secret, one group per type. */
export function SettingsFields({ settings }: { settings: Settings }) {
  return credentialTypes.map((type) => {
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
