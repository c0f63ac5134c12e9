import { Menu, MenuButton } from "~/ui/menu/menu";
import { Select } from "~/ui/select/select";
import type { LocationChoices } from "./location-choices.server";

/** Where one run is sent from, whatever its tests, circle and environments say. */
export const runFromField = "runFrom";

/** The value of the choice to send from the portal itself. */
export const fromPortal = "portal";

/** Beside a button that runs something, in the same form: runs it from one place. Absent without locations. */
export function RunFromMenu({ choices }: { choices: LocationChoices | undefined }) {
  if (!choices || choices.locations.length === 0) return null;
  return (
    <Menu label="Run from">
      <MenuButton name={runFromField} value={fromPortal}>
        This portal
      </MenuButton>
      {choices.locations.map(({ id, name }) => (
        <MenuButton key={id} name={runFromField} value={id}>
          {name}
        </MenuButton>
      ))}
    </Menu>
  );
}

/** The same as a field, for a form with other buttons. */
export function RunFromSelect({ choices }: { choices: LocationChoices | undefined }) {
  if (!choices || choices.locations.length === 0) return null;
  return (
    <Select
      label="Run from"
      name={runFromField}
      id={runFromField}
      labelHidden
      options={[
        { value: "", label: "Run from: as set" },
        { value: fromPortal, label: "This portal" },
        ...choices.locations.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
