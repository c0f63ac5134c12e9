import type { CredentialKind } from "./credential-kind";

export const bearer: CredentialKind<"bearer"> = {
  name: "Bearer",
  hint: "A token, sent in the header Authorization",
  secretName: "Token",
};
