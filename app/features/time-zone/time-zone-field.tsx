import type { FieldMetadata } from "@conform-to/react";
import { zones } from "~/features/time-zone/zones";
import { fieldProps } from "~/forms/field-props";
import { TextField } from "~/ui/text-field/text-field";

export interface TimeZoneFieldProps {
  field: FieldMetadata<string, Record<string, unknown>, string[]>;
  hint: string;
}

/** A zone by its name, with suggestions of all names. Once per page. */
export function TimeZoneField({ field, hint }: TimeZoneFieldProps) {
  return (
    <>
      <TextField
        label="Time zone"
        hint={hint}
        list="time-zones"
        autoCapitalize="none"
        autoComplete="off"
        {...fieldProps(field)}
      />
      <datalist id="time-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
