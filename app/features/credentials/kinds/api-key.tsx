import { fieldProps } from "~/forms/field-props";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { type CredentialKind, code } from "./credential-kind";

const locationNames = { header: "header", query: "query parameter", cookie: "cookie" } as const;

export const apiKey: CredentialKind<"apiKey"> = {
  name: "API key",
  hint: "A key in a header, query parameter or cookie",
  secretName: "Key",
  chosen: { in: "header" },
  describe: (settings) =>
    settings.in ? `API key in ${locationNames[settings.in]} ${settings.parameterName}` : "API key",
  renderFields: (settings) => (
    <>
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
    </>
  ),
};
