import type { CredentialKind } from "./credential-kind";

/** Its user name is Basic's: a form has one field of a name. */
export const digest: CredentialKind<"digest"> = {
  name: "Digest",
  hint: "A user name and a password that answer the server's challenge (RFC 7616)",
  secretName: "Password",
  describe: ({ username }) => `Digest as ${username ?? "nobody"}`,
};
