import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { priceWords } from "~/plans/plan-words";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import type { ServicePricing } from "../../../../services/portal-service/contract/plans.ts";

export interface PlanChoiceProps {
  field: FieldMetadata<string | undefined, Record<string, unknown>, string[]>;
  /** Undefined while the plans can't be read: then the plan chosen on the way here is kept, unseen. */
  plans: ServicePricing[] | undefined;
}

/** The plan to begin with; nobody has to know it yet. */
export function PlanChoice({ field, plans }: PlanChoiceProps) {
  const { defaultValue, ...choice } = fieldProps(field);
  if (!plans) return <input type="hidden" name={field.name} value={defaultValue} />;
  const isOffered = plans.some(({ serviceId }) => serviceId === defaultValue);
  return (
    <RadioGroup
      label="Plan"
      options={[
        ...plans.map(({ serviceId, name, price }) => ({
          value: serviceId,
          label: Number(price.amount) === 0 ? name : `${name}, ${priceWords(price)}`,
        })),
        { value: "", label: "Decide later" },
      ]}
      defaultValue={isOffered ? defaultValue : ""}
      {...choice}
    />
  );
}
