import { type ReactNode, useContext } from "react";
import type { NamedPart } from "#libraries/redaction/secret-signs.ts";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { TextField } from "~/ui/text-field/text-field";
import type { EditedParameter } from "../editor-props.ts";
import type { PairRow } from "../test-form-values.ts";
import { type EditorField, type EditorForm, JustChanged, textProps, tickProps } from "./editor-form.ts";
import { CellLabel, RowCells, TickCell } from "./row-cells.tsx";
import { getSecretNoteId, SecretNote } from "./secret-note.tsx";

export interface PairRowsProps {
  form: EditorForm;
  field: EditorField<PairRow[]>;
  legend: string;
  legendHidden?: boolean;
  /** Singular noun, such as "header". */
  noun: string;
  part: NamedPart;
  /** Names from the document: suggested while a name is typed, and missing ones are listed. */
  documented?: readonly EditedParameter[];
  hint?: ReactNode;
}

/** Names and values to send; each can be disabled without deleting it. */
export function PairRows({ form, field, legend, legendHidden, noun, part, documented = [], hint }: PairRowsProps) {
  const justChanged = useContext(JustChanged);
  const rows = field.getFieldList();
  const offered = `${field.id}-names`;
  const taken = new Set(rows.map((row) => row.getFieldset().name.initialValue));
  const missing = documented.filter(({ name, required }) => required && !taken.has(name));
  return (
    <>
      <RepeatedRows
        id={field.id}
        look="label"
        dense
        legend={legend}
        legendHidden={legendHidden}
        hint={missing.length > 0 ? `This operation requires ${missing.map(({ name }) => name).join(", ")}.` : hint}
        errors={field.errors}
        autoFocus={justChanged === field.name || undefined}
        addLabel={`Add ${noun}`}
        add={form.insert.getButtonProps({ name: field.name, defaultValue: { name: "", value: "", enabled: true } })}
        empty="None"
        rows={rows.map((row, index) => {
          const cells = row.getFieldset();
          const name = cells.name.initialValue || `${noun} ${index + 1}`;
          const parameter = documented.find((one) => one.name === cells.name.initialValue);
          return {
            key: row.key ?? row.name,
            removeLabel: `Remove ${noun} ${name}`,
            remove: form.remove.getButtonProps({ name: field.name, index }),
            fields: (
              <RowCells look="pair">
                <TextField
                  label={<CellLabel row={`${noun} ${index + 1}`} cell="name" />}
                  labelHidden={index > 0}
                  placeholder="Name"
                  code
                  list={documented.length > 0 ? offered : undefined}
                  autoFocus={justChanged === row.name || undefined}
                  {...textProps(cells.name)}
                />
                <TextField
                  label={<CellLabel row={`${noun} ${index + 1}`} cell="value" />}
                  labelHidden={index > 0}
                  placeholder={parameter?.type || "Value"}
                  code
                  aria-describedby={getSecretNoteId({ row, part })}
                  {...textProps(cells.value)}
                />
                <TickCell labelled={index === 0}>
                  <Checkbox
                    label={<CellLabel row={`${noun} ${index + 1}`} cell="sent" />}
                    {...tickProps(cells.enabled)}
                  />
                </TickCell>
                <SecretNote row={row} part={part} />
              </RowCells>
            ),
          };
        })}
      />
      {documented.length > 0 && (
        <datalist id={offered}>
          {documented.map(({ name, description }) => (
            <option key={name} value={name} label={description || undefined} />
          ))}
        </datalist>
      )}
    </>
  );
}
