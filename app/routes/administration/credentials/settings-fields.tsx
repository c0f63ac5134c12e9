import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { typeNames } from "~/features/credentials/credential-words";
import { fieldProps } from "~/forms/field-props";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./credential-fields.css";

type Settings = Required<{
  [Name in keyof CredentialSettings]: FieldMetadata<CredentialSettings[Name], Record<string, unknown>, string[]>;
}>;

const code = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

/** What each type wants beside its secret, in a group of its own. */
export function SettingsFields({ settings }: { settings: Settings }) {
  return (
    <>
      <Group type="basic" name={`${typeNames.basic} and ${typeNames.digest} only`}>
        <TextField
          label="User name"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...fieldProps(settings.username)}
        />
      </Group>
      <Group type="apiKey">
        <RadioGroup
          label="Sent in"
          inline
          options={[
            { value: "header", label: "Header" },
            { value: "query", label: "Query parameter" },
            { value: "cookie", label: "Cookie" },
          ]}
          {...fieldProps(settings.in)}
        />
        <TextField
          label="Name of the header, parameter or cookie"
          placeholder="X-API-Key"
          {...code}
          {...fieldProps(settings.parameterName)}
        />
      </Group>
      <Group type="oauth2ClientCredentials">
        <TextField
          label="Token URL"
          hint="Gets the client ID and secret and answers an access token. Only that token is sent to the domain above."
          placeholder="https://login.example.com/oauth2/token"
          inputMode="url"
          {...code}
          {...fieldProps(settings.tokenUrl)}
        />
        <TextField label="Client ID" {...code} {...fieldProps(settings.clientId)} />
        <RadioGroup
          label="Client ID and secret are sent in"
          inline
          options={[
            { value: "client_secret_basic", label: "Header Authorization" },
            { value: "client_secret_post", label: "Body" },
          ]}
          {...fieldProps(settings.clientAuthentication)}
        />
        <TextField
          label="Scopes"
          hint="Separated by spaces. Left empty, the server chooses."
          placeholder="orders:read orders:write"
          {...code}
          {...fieldProps(settings.scope)}
        />
        <TextField
          label="Audience"
          hint="Only where the token server asks for it."
          {...code}
          {...fieldProps(settings.audience)}
        />
      </Group>
      <Group type="mutualTls">
        <TextArea
          label="Client certificate"
          hint="In PEM; certificates of its issuers follow it. It is shown to servers of the domain, and to no other."
          placeholder="-----BEGIN CERTIFICATE-----"
          code
          {...fieldProps(settings.certificate)}
        />
        <TextArea
          label="Certificate authority of the server"
          hint="Only for a server with a certificate that no public authority has signed."
          placeholder="-----BEGIN CERTIFICATE-----"
          code
          {...fieldProps(settings.authority)}
        />
      </Group>
      <Group type="awsSignatureV4">
        <TextField label="Access key ID" {...code} {...fieldProps(settings.accessKeyId)} />
        <TextField label="Region" placeholder="eu-central-1" {...code} {...fieldProps(settings.region)} />
        <TextField
          label="Service"
          hint="As AWS names it when it is signed for: execute-api for API Gateway, s3, lambda."
          placeholder="execute-api"
          {...code}
          {...fieldProps(settings.service)}
        />
      </Group>
    </>
  );
}

interface GroupProps {
  type: keyof typeof styles.groupOf;
  name?: string;
  children: ReactNode;
}

function Group({ type, name = `${typeNames[type]} only`, children }: GroupProps) {
  return (
    <FieldsetGroup legend={<span className={styles.groupName}>{name}</span>} className={styles.groupOf[type]}>
      <Stack>{children}</Stack>
    </FieldsetGroup>
  );
}
