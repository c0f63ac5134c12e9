import { fieldProps } from "~/forms/field-props";
import { TextArea } from "~/ui/text-area/text-area";
import type { CredentialKind } from "./credential-kind";

export const mutualTls: CredentialKind<"mutualTls"> = {
  name: "Mutual TLS",
  hint: "A client certificate and its private key, shown while connecting over https",
  secretName: "Private key in PEM, with its BEGIN and END lines",
  renderFields: (settings) => (
    <>
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
    </>
  ),
};
