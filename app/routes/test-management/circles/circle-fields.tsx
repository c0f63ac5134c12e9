import type { FormMetadata, useForm } from "@conform-to/react";
import { LocationSelect } from "~/features/locations/location-select";
import { PlaceFields } from "~/features/locations/place-fields";
import { SecretVariableRows } from "~/features/variables/secret-variable-rows";
import { checkboxProps, fieldProps } from "~/forms/field-props";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import { environmentField, severalPlaces, type toForm } from "./circle-form";
import type { DescribedDraft } from "./circle-form.server";

export type CircleFormFields = ReturnType<typeof toForm>;
type Fields = ReturnType<typeof useForm<CircleFormFields>>[1];

export function NameFields({ fields }: { fields: Fields }) {
  return (
    <Card>
      <Stack gap="large">
        <TextField label="Name" placeholder="Checkout, every morning" {...fieldProps(fields.name)} />
        <TextArea
          label="Description"
          required={false}
          rows={2}
          hint="Included in its alerts, for example the owner."
          {...fieldProps(fields.description)}
        />
      </Stack>
    </Card>
  );
}

/** Order and environments of its tests. */
export function WayFields({ fields, described }: { fields: Fields; described: DescribedDraft }) {
  const { environments, apis, draft } = described;
  const withEnvironments = environments.filter(({ names }) => names.length > 0);
  return (
    <Card title="How it runs">
      <Stack gap="large">
        <RadioGroup
          label="Order"
          options={[
            {
              value: "sequential",
              label: "Sequential",
              hint: "Values captured by a test can be used by later tests.",
            },
            {
              value: "parallel",
              label: "Parallel",
              hint: "Tests only see values captured in set-up. Set-up and tear-down still run sequentially.",
            },
          ]}
          {...fieldProps(fields.order)}
        />
        <TextField
          label="Max. parallel tests"
          hint="Limits parallel tests, 1 to 100."
          inputMode="numeric"
          width="short"
          {...fieldProps(fields.concurrency)}
        />
        <Checkbox
          label="Stop at the first failure"
          hint="Remaining tests are skipped; tear-down still runs."
          {...checkboxProps(fields.stopOnFailure)}
        />
        <Checkbox
          label="Keep cookies"
          hint="Cookies set by a response are sent by later tests, to the same host and path only. Their values are hidden."
          {...checkboxProps(fields.cookies)}
        />
        <Checkbox
          label="Change only what this run created"
          hint="A test that would change or delete anything else is not sent and ends blocked. Mark which tests create something, and choose test by test which may change anything."
          {...checkboxProps(fields.onlyOwn)}
        />
        <LocationSelect
          choices={described.locations}
          otherwise="As the environments of its APIs say"
          also={{ value: severalPlaces, label: "Several places" }}
          {...fieldProps(fields.locationId)}
        />
        <PlaceFields
          choices={described.locations}
          places={fields.places}
          placeRule={fields.placeRule}
          placeMinimum={fields.placeMinimum}
        />
        {withEnvironments.map(({ apiId, names, isListed }) => (
          <Select
            key={apiId}
            label={`Environment of ${apis.find(({ id }) => id === apiId)?.name ?? "another API"}`}
            name={environmentField(apiId)}
            id={environmentField(apiId)}
            defaultValue={draft.environments[apiId] ?? ""}
            placeholder="The API's own base URL"
            required={false}
            hint={isListed ? undefined : "Others can't be listed right now."}
            options={names.map((name) => ({ value: name, label: name }))}
          />
        ))}
      </Stack>
    </Card>
  );
}

interface VariableFieldsProps {
  form: FormMetadata<CircleFormFields>;
  fields: Fields;
  /** Names of stored secret variables: their values stay unless new ones are given. */
  storedSecrets: readonly string[];
  /** Whether the user may choose where a secret is read. */
  mayRefer: boolean;
}

export function VariableFields({ form, fields, storedSecrets, mayRefer }: VariableFieldsProps) {
  return (
    <Card
      title="Variables"
      description="Used in tests as {{name}}. Precedence: data rows and captures, then circle, then environment. {{$uuid}}, {{$guid}}, {{$timestamp}}, {{$isoTimestamp}} and {{$randomInt}} in a value, such as Book {{$uuid}}, are filled in once when a run starts: all its tests see the same value, the next run another."
    >
      <Stack gap="huge">
        <RepeatedRows
          id={fields.variables.id}
          legend="Plain"
          errors={fields.variables.errors}
          empty="None."
          addLabel="Add a variable"
          add={form.insert.getButtonProps({ name: fields.variables.name })}
          rows={fields.variables.getFieldList().map((row, index) => {
            const { name, value } = row.getFieldset();
            return {
              key: row.key ?? String(index),
              removeLabel: `Remove variable ${name.initialValue || index + 1}`,
              remove: form.remove.getButtonProps({ name: fields.variables.name, index }),
              fields: (
                <>
                  <TextField label="Name" code autoCapitalize="none" {...fieldProps(name)} />
                  <TextField label="Value" code required={false} {...fieldProps(value)} />
                </>
              ),
            };
          })}
        />
        <SecretVariableRows
          form={form as never}
          field={fields.secrets as never}
          isStored={(name) => storedSecrets.includes(name)}
          mayRefer={mayRefer}
        />
      </Stack>
    </Card>
  );
}
