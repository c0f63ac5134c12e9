import type { FieldMetadata } from "@conform-to/react";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { enoughWords, offerWords } from "~/features/plans/plan-words";
import { fieldProps } from "~/forms/field-props";
import { RadioGroup } from "~/ui/radio-group/radio-group";

export interface PlanChoiceProps {
  field: FieldMetadata<string | undefined, Record<string, unknown>, string[]>;
  /** Undefined while the plans can't be read; the plan chosen earlier is then kept in a hidden field. */
  plans: ServicePricing[] | undefined;
}

const isFree = ({ amount }: ServicePricing["price"]) => Number(amount) === 0;

/** The preselected plan: the free one, unless another was chosen earlier. */
export function PlanChoice({ field, plans }: PlanChoiceProps) {
  const { defaultValue, ...choice } = fieldProps(field);
  if (!plans) return <input type="hidden" name={field.name} value={defaultValue} />;
  const isOffered = plans.some(({ serviceId }) => serviceId === defaultValue);
  return (
    <RadioGroup
      label="Plan"
      options={plans.map((plan) => ({
        value: plan.serviceId,
        label: isFree(plan.price) ? plan.name : `${plan.name}, ${offerWords(plan)}`,
        hint: enoughWords(plan.limits),
      }))}
      defaultValue={isOffered ? defaultValue : plans.find(({ price }) => isFree(price))?.serviceId}
      {...choice}
    />
  );
}
