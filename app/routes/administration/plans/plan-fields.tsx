import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Stack } from "~/ui/layout/layout";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField, type TextFieldProps } from "~/ui/text-field/text-field";
import type { NewPlan } from "./plan-form";

type Metadata<Value> = FieldMetadata<Value, Record<string, unknown>, string[]>;

export interface PlanFieldsProps {
  fields: { name: Metadata<string>; description: Metadata<string>; limits: Metadata<NewPlan["limits"]> };
}

/** Numbers are text inputs: browsers drop invalid numbers, so the page could not show them again. */
function LimitField({
  field,
  ...props
}: { field: Metadata<unknown> } & Pick<TextFieldProps, "label" | "hint" | "after" | "required">) {
  return <TextField width="short" inputMode="numeric" autoComplete="off" {...props} {...fieldProps(field)} />;
}

/** The name and the limits of a plan. */
export function PlanFields({ fields }: PlanFieldsProps) {
  const limits = fields.limits.getFieldset();
  return (
    <Stack gap="huge">
      <TextField
        label="Name"
        hint="Preferably one word. PayPal keeps showing existing subscribers the name they subscribed to."
        maxLength={60}
        autoComplete="off"
        {...fieldProps(fields.name)}
      />
      <TextArea
        label="Description"
        hint="One sentence: who it is for."
        maxLength={127}
        rows={2}
        {...fieldProps(fields.description)}
      />
      <FieldsetGroup legend="Limits" look="heading" id="limits" hint="Leave empty for unlimited.">
        <Stack>
          <LimitField label="APIs" required={false} field={limits.apis} />
          <LimitField label="Tests" required={false} field={limits.tests} />
          <LimitField label="Executions a month" required={false} field={limits.executionsPerMonth} />
          <LimitField label="Members" required={false} field={limits.members} />
          <LimitField
            label="Shortest interval between scheduled runs, in seconds"
            hint="3600 is an hour."
            after="seconds"
            field={limits.shortestIntervalSeconds}
          />
          <LimitField label="Results are kept for, in days" after="days" field={limits.retentionDays} />
        </Stack>
      </FieldsetGroup>
    </Stack>
  );
}
