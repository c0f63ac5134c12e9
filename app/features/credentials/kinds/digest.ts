import type { CredentialKind } from "./credential-kind";

/** Shares Basic's user name: a form has one field per name. */
export const digest: CredentialKind<"digest"> = {
  name: "Digest",
  hint: "A user name and password for digest authentication (RFC 7616)",
  secretName: "Password",
  describe: ({ username }) => `Digest as ${username ?? "nobody"}`,
};
