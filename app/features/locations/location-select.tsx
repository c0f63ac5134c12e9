import { Select, type SelectProps } from "~/ui/select/select";
import type { LocationChoices } from "./location-choices.server";
import { notChosen } from "./location-field";

interface LocationSelectProps extends Omit<SelectProps, "label" | "options" | "placeholder" | "required"> {
  choices: LocationChoices | undefined;
  /** What applies while none is chosen. */
  otherwise: string;
  /** Another choice besides the locations. */
  also?: { value: string; label: string };
}

/** Where tests are sent from. Absent while there is nothing to choose. */
export function LocationSelect({ choices, otherwise, also, ...select }: LocationSelectProps) {
  if (!choices) return null;
  const { locations, hasMore } = choices;
  const chosen = String(select.defaultValue ?? notChosen);
  const isListed = chosen === notChosen || chosen === also?.value || locations.some(({ id }) => id === chosen);
  if (locations.length === 0 && isListed) return null;
  return (
    <Select
      label="Runs from"
      {...select}
      options={[
        { value: notChosen, label: otherwise },
        ...locations.map(({ id, name }) => ({ value: id, label: name })),
        ...(also ? [also] : []),
        // It stays chosen until another is: nothing is sent from elsewhere unnoticed.
        ...(isListed ? [] : [{ value: chosen, label: hasMore ? "Another location" : "A deleted location" }]),
      ]}
    />
  );
}
