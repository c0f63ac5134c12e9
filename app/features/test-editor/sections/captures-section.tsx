import { useContext } from "react";
import { isSecretName } from "#libraries/redaction/secret-signs.ts";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { captureSourceWords } from "../assertion-words.ts";
import { type EditorForm, JustChanged, listNames, textProps, tickProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { CellLabel, RowCells } from "./row-cells.tsx";

const sources = Object.entries(captureSourceWords).map(([value, { label }]) => ({ value, label }));

/** Values of the response that later requests may use as `{{name}}`. */
export function CapturesSection({ form }: { form: EditorForm }) {
  const justChanged = useContext(JustChanged);
  const { captures } = form.getFieldset();
  const rows = captures.getFieldList();
  return (
    <EditorSection
      form={form}
      title="Captures"
      count={rows.length}
      brief={listNames(rows)}
      holds={[captures.name]}
      filled={rows.length > 0}
      description="Values for later tests of the same sequential run, used as {{name}}. A pattern (RE2) takes part of a header or cookie: its first group. Secret values are masked everywhere; by default, a name such as token or apiKey makes its value secret. If an optional capture finds nothing, later tests that need it are skipped. With # at the end of the name, each row captures its own: bookId# of row 2 is bookId2."
      id="captures-card"
    >
      <RepeatedRows
        id={captures.id}
        look="label"
        dense
        legend="Captures"
        legendHidden
        errors={captures.errors}
        autoFocus={justChanged === captures.name || undefined}
        addLabel="Add capture"
        add={form.insert.getButtonProps({
          name: captures.name,
          defaultValue: { name: "", source: "jsonPath", property: "", pattern: "", secret: "byName", optional: false },
        })}
        empty="None"
        rows={rows.map((row, index) => {
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
                  labelHidden={index > 0}
                  placeholder="Name"
                  code
                  autoFocus={justChanged === row.name || undefined}
                  {...textProps(cells.name)}
                />
                <Select
                  label={<CellLabel row={says} cell="source" />}
                  labelHidden={index > 0}
                  options={sources}
                  {...textProps(cells.source)}
                />
                <TextField
                  label={<CellLabel row={says} cell="path, name or pattern" />}
                  labelHidden={index > 0}
                  placeholder="$.id"
                  code
                  {...textProps(cells.property)}
                />
                <TextField
                  label={<CellLabel row={says} cell="pattern" />}
                  labelHidden={index > 0}
                  placeholder="([^/]+)$"
                  code
                  {...textProps(cells.pattern)}
                />
                <Select
                  label={<CellLabel row={says} cell="secret" />}
                  labelHidden={index > 0}
                  options={[
                    {
                      value: "byName",
                      label: isSecretName(cells.name.value ?? "") ? "By its name: yes" : "By its name: no",
                    },
                    { value: "always", label: "Yes" },
                    { value: "never", label: "No" },
                  ]}
                  {...textProps(cells.secret)}
                />
                <Checkbox label={<CellLabel row={says} cell="optional" />} {...tickProps(cells.optional)} />
              </RowCells>
            ),
          };
        })}
      />
    </EditorSection>
  );
}
