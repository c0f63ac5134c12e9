import { Checkbox } from "~/ui/checkbox/checkbox";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { EditorContext } from "../editor-props.ts";
import { type EditorForm, textProps, tickProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { RowCells } from "./row-cells.tsx";

const readings = [
  { value: "end", label: "Until it ends" },
  { value: "items", label: "Until a number of events or lines" },
  { value: "seconds", label: "For a number of seconds" },
];

function toBrief({ ownServerNote, environment }: EditorContext): string {
  if (ownServerNote) return "of this operation, by the document";
  return environment ? `of the environment ${environment}` : "of the API";
}

function toHint({ ownServerNote, baseUrl }: EditorContext): string {
  if (baseUrl === null) return "The document defines no server. Enter a base URL.";
  if (ownServerNote) return `If empty, requests go to ${baseUrl}, ${ownServerNote}.`;
  return "If empty, the environment's or API's base URL is used.";
}

/** The target of the request, if not the API's base URL, and how far its response is read. */
export function AddressSection({ form, context }: { form: EditorForm; context: EditorContext }) {
  const { baseUrl, followRedirects, readUntil } = form.getFieldset().request.getFieldset();
  const { kind, limit } = readUntil.getFieldset();
  const readsPart = kind.value === "items" || kind.value === "seconds";
  const own = baseUrl.value?.trim();
  return (
    <EditorSection
      form={form}
      id="base-url"
      title="Base URL and reading"
      brief={own || toBrief(context)}
      holds={[baseUrl.name, followRedirects.name, readUntil.name]}
      filled={Boolean(own) || context.baseUrl === null || readsPart}
    >
      <TextField
        label="Base URL of this test"
        required={false}
        code
        placeholder={context.baseUrl ?? "https://api.example.com/v1"}
        hint={`${toHint(context)} You can use {{variables}} here and in all values below.`}
        {...textProps(baseUrl)}
      />
      <Checkbox
        label="Follow redirects"
        hint="Otherwise the redirect response itself is evaluated."
        {...tickProps(followRedirects)}
      />
      <RowCells look="two">
        <Select label="Read the response" options={readings} {...textProps(kind)} />
        <TextField label="Events, lines or seconds" required={false} inputMode="numeric" {...textProps(limit)} />
      </RowCells>
    </EditorSection>
  );
}
