/** The checkboxes of a list's rows; in an address, ids separated by commas. */
export const selectedField = "selected";

/** The form that the checkboxes belong to, wherever they are on the page. */
export const selectedForm = "selected-rows";

const maxSelected = 200;

/** Ids of the ticked rows. */
export function readSelected(form: FormData): string[] {
  return form
    .getAll(selectedField)
    .flatMap((given) => String(given).split(","))
    .filter(Boolean)
    .slice(0, maxSelected);
}

/** Ids of the rows that the address of a list ticks, such as after a cancelled question. */
export function readTicked(address: string): string[] {
  return new URL(address).searchParams.get("ticked")?.split(",") ?? [];
}
