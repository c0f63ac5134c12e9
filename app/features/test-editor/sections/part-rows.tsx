import { useContext } from "react";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { PartRow } from "../test-form-values.ts";
import { type EditorField, type EditorForm, JustChanged, textProps, tickProps } from "./editor-form.ts";
import { FileChoice } from "./file-choice.tsx";
import { CellLabel, RowCells, TickCell } from "./row-cells.tsx";
import { getSecretNoteId, SecretNote } from "./secret-note.tsx";

const blank = { name: "", value: "", fileName: "", mediaType: "", headers: "", file: "", enabled: true };

/** Parts of a multipart body: texts, and files. A value with a file name is the content of a file, too. */
export function PartRows({ form, field }: { form: EditorForm; field: EditorField<PartRow[]> }) {
  const justChanged = useContext(JustChanged);
  return (
    <RepeatedRows
      id={field.id}
      look="label"
      dense
      legend="Parts"
      hint="A part sends its file unchanged (at most 10 MiB) or its value. A value with a file name is sent as a file."
      errors={field.errors}
      autoFocus={justChanged === field.name || undefined}
      addLabel="Add part"
      add={form.insert.getButtonProps({ name: field.name, defaultValue: blank })}
      empty="None"
      rows={field.getFieldList().map((row, index) => {
        const cells = row.getFieldset();
        const says = `part ${index + 1}`;
        return {
          key: row.key ?? row.name,
          removeLabel: `Remove part ${cells.name.initialValue || index + 1}`,
          remove: form.remove.getButtonProps({ name: field.name, index }),
          fields: (
            <RowCells look="part">
              <TextField
                label={<CellLabel row={says} cell="name" />}
                code
                autoFocus={justChanged === row.name || undefined}
                {...textProps(cells.name)}
              />
              <TextArea
                label={<CellLabel row={says} cell="value" />}
                code
                rows={1}
                aria-describedby={getSecretNoteId({ row, part: "form" })}
                {...textProps(cells.value)}
              />
              <FileChoice label={<CellLabel row={says} cell="file" />} upload={cells.upload} file={cells.file} />
              {cells.file.initialValue ? (
                <TickCell labelled>
                  <Checkbox
                    label={<CellLabel row={says} cell="value instead of the file" />}
                    {...tickProps(cells.withoutFile)}
                  />
                </TickCell>
              ) : (
                <span />
              )}
              <TextField label={<CellLabel row={says} cell="file name" />} {...textProps(cells.fileName)} />
              <TextField label={<CellLabel row={says} cell="media type" />} {...textProps(cells.mediaType)} />
              <TextArea label={<CellLabel row={says} cell="headers" />} code rows={1} {...textProps(cells.headers)} />
              <TickCell labelled>
                <Checkbox label={<CellLabel row={says} cell="sent" />} {...tickProps(cells.enabled)} />
              </TickCell>
              <SecretNote row={row} part="form" />
            </RowCells>
          ),
        };
      })}
    />
  );
}
