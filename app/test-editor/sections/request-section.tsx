import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import type { EditorContext } from "../editor-props.ts";
import { type EditorForm, textProps, tickProps } from "./editor-form.ts";
import { PairRows } from "./pair-rows.tsx";
import { PathParameters } from "./path-parameters.tsx";

/** Where the request goes and what it says besides its body. */
export function RequestSection({ form, context }: { form: EditorForm; context: EditorContext }) {
  const request = form.getFieldset().request.getFieldset();
  const { parameters } = context.operation;
  const documented = (place: string) => parameters.filter((parameter) => parameter.in === place);
  return (
    <Card title="Request" id="request">
      <Stack gap="huge">
        <TextField
          label="Base URL"
          required={false}
          code
          placeholder={context.baseUrl ?? "https://api.example.com/v1"}
          hint={
            context.baseUrl
              ? "Left empty, the API's own is used. {{variables}} may stand here and in every value below."
              : "The document names no server, so say where requests go. {{variables}} may stand here and in every value below."
          }
          {...textProps(request.baseUrl)}
        />
        <PathParameters form={form} field={request.pathParameters} operation={context.operation} />
        <PairRows
          form={form}
          field={request.query}
          legend="Query parameters"
          noun="query parameter"
          documented={documented("query")}
        />
        <PairRows
          form={form}
          field={request.headers}
          legend="Headers"
          noun="header"
          documented={documented("header")}
        />
        <PairRows
          form={form}
          field={request.cookies}
          legend="Cookies"
          noun="cookie"
          documented={documented("cookie")}
        />
        <Checkbox
          label="Follow redirects"
          hint="Otherwise the redirect itself is judged."
          {...tickProps(request.followRedirects)}
        />
      </Stack>
    </Card>
  );
}
