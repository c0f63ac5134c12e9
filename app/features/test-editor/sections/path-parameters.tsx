import { useContext } from "react";
import { Button } from "~/ui/button/button";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import type { EditedOperation } from "../editor-props.ts";
import type { PairRow } from "../test-form-values.ts";
import { templateNames } from "../values-of-test.ts";
import { type EditorField, type EditorForm, JustChanged, textProps } from "./editor-form.ts";
import * as styles from "./path-parameters.css";

export interface PathParametersProps {
  form: EditorForm;
  field: EditorField<PairRow[]>;
  operation: EditedOperation;
}

/** One field for each parameter of the path. Values of parameters that the path no longer has can only be removed. */
export function PathParameters({ form, field, operation }: PathParametersProps) {
  const justChanged = useContext(JustChanged);
  const rows = field.getFieldList();
  const names = templateNames(operation.path);
  if (rows.length === 0) return null;
  return (
    <FieldsetGroup
      id={field.id}
      look="label"
      legend="Path parameters"
      errors={field.errors}
      autoFocus={justChanged === field.name || undefined}
    >
      <Stack gap="small">
        {rows.map((row, index) => {
          const cells = row.getFieldset();
          const name = cells.name.initialValue ?? "";
          const known = operation.parameters.find((one) => one.in === "path" && one.name === name);
          return (
            <Row key={row.key ?? row.name} gap="small">
              <input type="hidden" name={cells.name.name} value={name} />
              {(cells.enabled.initialValue === "on" || names.includes(name)) && (
                <input type="hidden" name={cells.enabled.name} value="on" />
              )}
              <TextField
                label={<code>{name}</code>}
                hint={names.includes(name) ? known?.description : "No such path parameter."}
                placeholder={known?.type}
                className={styles.line}
                code
                {...textProps(cells.value)}
              />
              {!names.includes(name) && (
                <Button
                  {...form.remove.getButtonProps({ name: field.name, index })}
                  variant="quiet"
                  size="small"
                  icon="trash"
                >
                  Remove {name}
                </Button>
              )}
            </Row>
          );
        })}
      </Stack>
    </FieldsetGroup>
  );
}
