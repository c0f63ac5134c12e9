import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";
import type { CredentialKind } from "./credential-kind";

export const basic: CredentialKind<"basic"> = {
  name: "Basic",
  hint: "A user name and a password",
  secretName: "Password",
  groupName: "Basic and Digest only",
  describe: ({ username }) => `Basic as ${username ?? "nobody"}`,
  renderFields: (settings) => (
    <TextField
      label="User name"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      {...fieldProps(settings.username)}
    />
  ),
};
