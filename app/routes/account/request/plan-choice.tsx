import type { FieldMetadata } from "@conform-to/react";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { offerWords } from "~/features/plans/plan-words";
import { fieldProps } from "~/forms/field-props";
import { RadioGroup } from "~/ui/radio-group/radio-group";

export interface PlanChoiceProps {
  field: FieldMetadata<string | undefined, Record<string, unknown>, string[]>;
  /** Undefined while the plans can't be read: then the plan chosen on the way here is kept, unseen. */
  plans: ServicePricing[] | undefined;
}

const isFree = ({ amount }: ServicePricing["price"]) => Number(amount) === 0;

/** The plan to begin with: the free one, unless another was picked on the way here. */
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
      }))}
      defaultValue={isOffered ? defaultValue : plans.find(({ price }) => isFree(price))?.serviceId}
      {...choice}
    />
  );
}
