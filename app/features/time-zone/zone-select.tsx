import type { FieldMetadata } from "@conform-to/react";
import type { ZoneChoice } from "~/features/time-zone/zone-choice.server";
import { fieldProps } from "~/forms/field-props";
import { Select } from "~/ui/select/select";

export interface ZoneSelectProps {
  field: FieldMetadata<string, Record<string, unknown>, string[]>;
  choice: ZoneChoice;
}

/** The zone of the viewer's account. */
export function ZoneSelect({ field, choice: { browsers, names } }: ZoneSelectProps) {
  const asBrowser = browsers ? `From the browser (${written(browsers)})` : "From the browser";
  return (
    <Select
      label="Zone"
      width="medium"
      options={[{ value: "", label: asBrowser }, ...names.map((value) => ({ value, label: written(value) }))]}
      {...fieldProps(field)}
    />
  );
}

const written = (zone: string) => zone.replaceAll("_", " ");
