import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { EditedOperation } from "../editor-props.ts";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { FileChoice } from "./file-choice.tsx";
import { JsonBody } from "./json-body.tsx";
import { PairRows } from "./pair-rows.tsx";
import * as panels from "./panels.css";
import { PartRows } from "./part-rows.tsx";

const kinds = [
  { value: "none", label: "None" },
  { value: "json", label: "JSON" },
  { value: "text", label: "Text" },
  { value: "form", label: "Form" },
  { value: "multipart", label: "Multipart" },
  { value: "file", label: "File" },
] as const;

export interface BodySectionProps {
  form: EditorForm;
  operation: EditedOperation;
}

/** The body in one of its kinds. Each keeps its typed values; styles alone show the fields of the selected kind. */
export function BodySection({ form, operation }: BodySectionProps) {
  const body = form.getFieldset().request.getFieldset().body.getFieldset();
  const mediaTypes = `${body.kind.id}-media-types`;
  const { defaultValue: kind } = textProps(body.kind);
  const chosen = kinds.find(({ value }) => value === (body.kind.value ?? "none")) ?? kinds[0];
  return (
    <EditorSection
      form={form}
      id="body"
      title="Body"
      brief={chosen.label}
      holds={["request.body"]}
      filled={chosen.value !== "none"}
    >
      <Stack gap="large" className={panels.switching}>
        <RadioGroup
          label="Kind of body"
          inline
          options={kinds}
          hint={operation.bodyMediaTypes.length > 0 && `The document describes ${operation.bodyMediaTypes.join(", ")}.`}
          {...textProps(body.kind)}
          defaultValue={kind || "none"}
        />
        <div className={panels.panel.json}>
          <JsonBody field={body.json} />
          <TextField
            label="Media type"
            required={false}
            placeholder="application/json"
            width="medium"
            list={mediaTypes}
            {...textProps(body.jsonMediaType)}
          />
        </div>
        <div className={panels.panel.text}>
          <TextArea label="Text" code rows={8} {...textProps(body.text)} />
          <TextField
            label="Media type"
            placeholder="text/plain"
            width="medium"
            list={mediaTypes}
            {...textProps(body.textMediaType)}
          />
        </div>
        <div className={panels.panel.form}>
          <PairRows form={form} field={body.fields} legend="Form fields" noun="form field" part="form" />
        </div>
        <div className={panels.panel.multipart}>
          <TextField
            label="Media type"
            required={false}
            placeholder="multipart/form-data"
            width="medium"
            list={mediaTypes}
            {...textProps(body.multipartType)}
          />
          <PartRows form={form} field={body.parts} />
        </div>
        <div className={panels.panel.file}>
          <FileChoice label="File" upload={body.upload} file={body.file} hint="Sent unchanged. At most 10 MiB." />
          <TextField
            label="Media type"
            placeholder="application/octet-stream"
            width="medium"
            list={mediaTypes}
            {...textProps(body.fileMediaType)}
          />
        </div>
      </Stack>
      <datalist id={mediaTypes}>
        {operation.bodyMediaTypes.map((mediaType) => (
          <option key={mediaType} value={mediaType} />
        ))}
      </datalist>
    </EditorSection>
  );
}
