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

/** The same in the menu of one of several things in a list. */
export function RunFromItems({ choices, form }: { choices: LocationChoices | undefined; form: string }) {
  if (!choices || choices.locations.length === 0) return null;
  return [{ id: fromPortal, name: "this portal" }, ...choices.locations].map(({ id, name }) => (
    <MenuButton key={id} name={runFromField} value={id} form={form}>
      Run from {name}
    </MenuButton>
  ));
}

interface RunFromSelectProps {
  choices: LocationChoices | undefined;
  /** Of the field, where a page has several. */
  id?: string;
  defaultValue?: string | undefined;
  /** Of the form that it belongs to, if it stands outside of it. */
  form?: string;
}

/** The same as a field, for a form with other buttons. */
export function RunFromSelect({ choices, id = runFromField, defaultValue, form }: RunFromSelectProps) {
  if (!choices || choices.locations.length === 0) return null;
  return (
    <Select
      label="Run from"
      name={runFromField}
      id={id}
      defaultValue={defaultValue}
      form={form}
      labelHidden
      options={[
        { value: "", label: "Run from: as set" },
        { value: fromPortal, label: "This portal" },
        ...choices.locations.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
