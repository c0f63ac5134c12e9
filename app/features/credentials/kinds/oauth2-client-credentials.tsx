import { fieldProps } from "~/forms/field-props";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { type CredentialKind, code } from "./credential-kind";

export const oauth2ClientCredentials: CredentialKind<"oauth2ClientCredentials"> = {
  name: "OAuth 2.0 client",
  hint: "A client ID and secret used to request an access token (client credentials grant)",
  secretName: "Client secret",
  chosen: { clientAuthentication: "client_secret_basic" },
  describe: ({ tokenUrl, clientId }) =>
    tokenUrl ? `OAuth 2.0 client ${clientId} at ${new URL(tokenUrl).host}` : "OAuth 2.0 client",
  renderFields: (settings) => (
    <>
      <TextField
        label="Token URL"
        hint="Receives the client ID and secret and returns an access token. Only that token is sent to the domain above."
        placeholder="https://login.example.com/oauth2/token"
        inputMode="url"
        {...code}
        {...fieldProps(settings.tokenUrl)}
      />
      <TextField label="Client ID" {...code} {...fieldProps(settings.clientId)} />
      <RadioGroup
        label="Send client ID and secret in"
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
        hint="Only if the token server requires it."
        {...code}
        {...fieldProps(settings.audience)}
      />
    </>
  ),
};
