import type { FieldMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { CheckboxGroup, RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import type { LocationChoices } from "./location-choices.server";
import { placeRuleChoices } from "./place-words";
import { fromPortal } from "./run-from";

interface PlaceFieldsProps {
  choices: LocationChoices | undefined;
  places: FieldMetadata<string[]>;
  placeRule: FieldMetadata<string>;
  placeMinimum: FieldMetadata<string>;
}

/** Several places to send from, and when a test fails. Absent while there is no location. */
export function PlaceFields({ choices, places, placeRule, placeMinimum }: PlaceFieldsProps) {
  // A form with one ticked value gives it without a list.
  const chosen = [(places.initialValue ?? []) as string | string[]].flat();
  const locations = choices?.locations ?? [];
  const unlisted = chosen.filter((id) => id !== fromPortal && !locations.some((one) => one.id === id));
  if (locations.length === 0 && unlisted.length === 0) return null;
  return (
    <>
      <CheckboxGroup
        label="Places"
        hint="For “Several places”. Each sends the whole circle; a test counts once against the plan."
        name={places.name}
        id={places.id}
        errors={places.errors}
        required={false}
        defaultValue={chosen}
        options={[
          { value: fromPortal, label: "This portal" },
          ...locations.map(({ id, name }) => ({ value: id, label: name })),
          ...unlisted.map((id) => ({ value: id, label: choices?.hasMore ? "Another location" : "A deleted location" })),
        ]}
      />
      <RadioGroup label="A test fails if it fails from" options={placeRuleChoices} {...fieldProps(placeRule)} />
      <TextField
        label="Number of places"
        hint="For “At least some places”."
        inputMode="numeric"
        width="short"
        {...fieldProps(placeMinimum)}
        required={false}
      />
    </>
  );
}
