import { TextArea } from "~/ui/text-area/text-area";
import { readDataRows } from "../data-rows.ts";
import { type EditorForm, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";

/** Values to repeat the test with. */
export function DataSection({ form }: { form: EditorForm }) {
  const { data } = form.getFieldset();
  const read = readDataRows(data.value ?? "");
  return (
    <EditorSection
      form={form}
      id="rows"
      title="Data rows"
      count={read.fault === undefined ? (read.rows?.length ?? 0) : undefined}
      brief={read.fault === undefined ? Object.keys(read.rows?.[0] ?? {}).join(", ") : undefined}
      description="The test runs once per row, with its values as {{variables}}. The column case contains row names; {{$none}} omits a parameter, header, cookie or form field."
      holds={[data.name]}
      filled={Boolean(data.value?.trim())}
    >
      <TextArea
        label="Rows as CSV"
        required={false}
        code
        rows={4}
        placeholder={"user,age\nTom,3\nAnn,41"}
        hint="The first line contains the variable names. A JSON array of objects works too."
        {...textProps(data)}
      />
    </EditorSection>
  );
}
