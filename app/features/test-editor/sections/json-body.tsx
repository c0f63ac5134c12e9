import { TextArea } from "~/ui/text-area/text-area";
import { jsonWarning } from "../json-fault.ts";
import { type EditorField, textProps } from "./editor-form.ts";
import { FieldWarning } from "./field-warning.tsx";

/** JSON as it is sent. Invalid JSON is reported and not refused: it may be the subject of the test. */
export function JsonBody({ field }: { field: EditorField<string> }) {
  const warning = jsonWarning(field.value ?? "");
  return (
    <TextArea
      label="JSON"
      code
      rows={8}
      hint={warning && <FieldWarning>{warning}</FieldWarning>}
      data-json-editor=""
      {...textProps(field)}
    />
  );
}
