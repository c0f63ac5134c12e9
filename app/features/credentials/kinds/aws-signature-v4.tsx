import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";
import { type CredentialKind, code } from "./credential-kind";

export const awsSignatureV4: CredentialKind<"awsSignatureV4"> = {
  name: "AWS Signature v4",
  hint: "An AWS access key that signs each request",
  secretName: "Secret access key",
  describe: ({ accessKeyId, service, region }) => `AWS Signature v4 as ${accessKeyId} for ${service} in ${region}`,
  renderFields: (settings) => (
    <>
      <TextField label="Access key ID" {...code} {...fieldProps(settings.accessKeyId)} />
      <TextField label="Region" placeholder="eu-central-1" {...code} {...fieldProps(settings.region)} />
      <TextField
        label="Service"
        hint="Service name used in the signature, e.g. execute-api for API Gateway, s3, lambda."
        placeholder="execute-api"
        {...code}
        {...fieldProps(settings.service)}
      />
    </>
  ),
};
