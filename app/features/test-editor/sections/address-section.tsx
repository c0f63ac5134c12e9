import { Checkbox } from "~/ui/checkbox/checkbox";
import { TextField } from "~/ui/text-field/text-field";
import type { EditorContext } from "../editor-props.ts";
import { type EditorForm, textProps, tickProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";

/** The target of the request, if not the API's base URL. */
export function AddressSection({ form, context }: { form: EditorForm; context: EditorContext }) {
  const { baseUrl, followRedirects } = form.getFieldset().request.getFieldset();
  const own = baseUrl.value?.trim();
  return (
    <EditorSection
      form={form}
      id="base-url"
      title="Base URL"
      brief={own || (context.environment ? `of the environment ${context.environment}` : "of the API")}
      holds={[baseUrl.name, followRedirects.name]}
      filled={Boolean(own) || context.baseUrl === null}
    >
      <TextField
        label="Base URL of this test"
        required={false}
        code
        placeholder={context.baseUrl ?? "https://api.example.com/v1"}
        hint={
          context.baseUrl
            ? "Left empty, the one of the environment or the API is used. {{variables}} may stand here and in every value below."
            : "The document names no server, so say where requests go. {{variables}} may stand here and in every value below."
        }
        {...textProps(baseUrl)}
      />
      <Checkbox
        label="Follow redirects"
        hint="Otherwise the redirect itself is judged."
        {...tickProps(followRedirects)}
      />
    </EditorSection>
  );
}
