import { fieldProps } from "~/forms/field-props";
import { TextArea } from "~/ui/text-area/text-area";
import type { CredentialKind } from "./credential-kind";

export const mutualTls: CredentialKind<"mutualTls"> = {
  name: "Mutual TLS",
  hint: "A client certificate and private key, presented during the TLS handshake",
  secretName: "Private key in PEM, with its BEGIN and END lines",
  renderFields: (settings) => (
    <>
      <TextArea
        label="Client certificate"
        hint="PEM, followed by the certificates of its issuers. Presented only to servers of the domain."
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
