import { useContext } from "react";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { captureSourceWords } from "../assertion-words.ts";
import { type EditorForm, JustChanged, textProps, tickProps } from "./editor-form.ts";
import { CellLabel, RowCells, TickCell } from "./row-cells.tsx";

const sources = Object.entries(captureSourceWords).map(([value, { label }]) => ({ value, label }));

/** Values of the response that later requests may use as `{{name}}`. */
export function CapturesSection({ form }: { form: EditorForm }) {
  const justChanged = useContext(JustChanged);
  const { captures } = form.getFieldset();
  return (
    <Card
      title="Captures"
      description="Values kept for later tests of the same sequential run, used as {{name}}. A secret one is hidden in everything that is kept and shown."
      id="captures-card"
    >
      <RepeatedRows
        id={captures.id}
        look="label"
        legend="Captures"
        legendHidden
        errors={captures.errors}
        autoFocus={justChanged === captures.name || undefined}
        addLabel="Add capture"
        add={form.insert.getButtonProps({
          name: captures.name,
          defaultValue: { name: "", source: "jsonPath", property: "", secret: false },
        })}
        empty="None"
        rows={captures.getFieldList().map((row, index) => {
          const cells = row.getFieldset();
          const says = `capture ${index + 1}`;
          return {
            key: row.key ?? row.name,
            removeLabel: `Remove capture ${cells.name.initialValue || index + 1}`,
            remove: form.remove.getButtonProps({ name: captures.name, index }),
            fields: (
              <RowCells look="capture">
                <TextField
                  label={<CellLabel row={says} cell="name" />}
                  code
                  autoFocus={justChanged === row.name || undefined}
                  {...textProps(cells.name)}
                />
                <Select label={<CellLabel row={says} cell="source" />} options={sources} {...textProps(cells.source)} />
                <TextField
                  label={<CellLabel row={says} cell="JSONPath, name or pattern" />}
                  placeholder="$.id"
                  code
                  {...textProps(cells.property)}
                />
                <TickCell labelled>
                  <Checkbox label={<CellLabel row={says} cell="secret" />} {...tickProps(cells.secret)} />
                </TickCell>
              </RowCells>
            ),
          };
        })}
      />
    </Card>
  );
}
