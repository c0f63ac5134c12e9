import type { FormMetadata, useForm } from "@conform-to/react";
import type { LocationChoices } from "~/features/locations/location-choices.server";
import { LocationSelect } from "~/features/locations/location-select";
import { SecretVariableRows } from "~/features/variables/secret-variable-rows";
import { fieldProps } from "~/forms/field-props";
import { Stack } from "~/ui/layout/layout";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./environment-fields.css";
import type { toVariableFields } from "./environments-input";

type VariableValues = ReturnType<typeof toVariableFields>;
export type EnvironmentValues = VariableValues & {
  items: (VariableValues & { name: string; formerName: string; baseUrl: string; locationId: string })[];
};

interface EnvironmentFieldsProps {
  form: FormMetadata<EnvironmentValues>;
  fields: ReturnType<typeof useForm<EnvironmentValues>>[1];
  /** What is stored: secrets without their values. */
  first: EnvironmentValues;
  /** Whether the user may choose where a secret is read. */
  mayRefer: boolean;
}

const isStored = ({ secrets }: Pick<VariableValues, "secrets"> = { secrets: [] }) => {
  const names = secrets.flatMap(({ name, from }) => (from === "here" ? [name] : []));
  return (name: string) => names.includes(name);
};

interface EnvironmentRowsProps extends EnvironmentFieldsProps {
  locations: LocationChoices | undefined;
}

export function EnvironmentRows({ form, fields, first, mayRefer, locations }: EnvironmentRowsProps) {
  return (
    <RepeatedRows
      id={fields.items.id}
      legend="Environments"
      legendHidden
      errors={fields.items.errors}
      empty="No environments yet. Tests run against the API's own base URL."
      addLabel="Add an environment"
      add={form.insert.getButtonProps({ name: fields.items.name })}
      rows={fields.items.getFieldList().map((row, index) => {
        const { name, formerName, baseUrl, variables, secrets, locationId } = row.getFieldset();
        const former = formerName.initialValue;
        return {
          key: row.key ?? String(index),
          removeLabel: `Remove environment ${name.initialValue || index + 1}`,
          remove: form.remove.getButtonProps({ name: fields.items.name, index }),
          fields: (
            <div className={styles.environment}>
              {former && <input type="hidden" name={formerName.name} value={former} />}
              <div className={styles.fields}>
                <TextField label="Name" placeholder="Staging" {...fieldProps(name)} />
                <TextField
                  label="Base URL"
                  inputMode="url"
                  code
                  placeholder="https://staging.example.com/v1"
                  {...fieldProps(baseUrl)}
                />
                <TextArea
                  label="Variables"
                  hint="One per line: name=value."
                  required={false}
                  code
                  rows={2}
                  {...fieldProps(variables)}
                />
                <LocationSelect choices={locations} otherwise="This portal" {...fieldProps(locationId)} />
              </div>
              <SecretVariableRows
                form={form as never}
                field={secrets as never}
                isStored={isStored(first.items.find((one) => one.name === former))}
                mayRefer={mayRefer}
                legend="Secret variables"
                hint="Encrypted, masked everywhere in results and never shown again, or read elsewhere whenever a test uses them."
              />
            </div>
          ),
        };
      })}
    />
  );
}

/** Variables of all environments. */
export function SharedVariables({ form, fields, first, mayRefer }: EnvironmentFieldsProps) {
  return (
    <Stack>
      <TextArea
        label="Shared variables"
        hint="One per line: name=value. Used by all tests; environment variables override these."
        required={false}
        code
        rows={4}
        {...fieldProps(fields.variables)}
      />
      <SecretVariableRows
        form={form as never}
        field={fields.secrets as never}
        isStored={isStored(first)}
        mayRefer={mayRefer}
        legend="Shared secret variables"
        hint="Used by all tests; variables of an environment override these."
      />
    </Stack>
  );
}
