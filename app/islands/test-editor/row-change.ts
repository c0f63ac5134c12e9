import { INTENT, type Intent, type SubmissionResult } from "@conform-to/dom";

/** Rows added or removed by a button. */
export interface RowChange {
  /** Name of the list. */
  list: string;
  kind: "insert" | "remove";
  /** Index of a removed row. */
  index?: number;
  statusMessage: string;
  /** An assertion made from the response: the focus stays there for the next one. */
  stays: boolean;
}

export function readRowChange(button: HTMLButtonElement): RowChange | undefined {
  if (button.name !== INTENT) return undefined;
  const { type, payload } = JSON.parse(button.value) as { type: string; payload: { name: string; index?: number } };
  if (type !== "insert" && type !== "remove") return undefined;
  const asserts = button.dataset.asserts;
  const statusMessage = asserts ? `Assertion added: ${asserts}` : type === "insert" ? "Row added" : "Row removed";
  return { list: payload.name, kind: type, index: payload.index, statusMessage, stays: Boolean(asserts) };
}

/** Moves the focus to the first field of a new row, or to the element at the position of a removed one. */
export function focusChangedRow(form: HTMLFormElement, formId: string, { list, kind, index = 0, stays }: RowChange) {
  if (stays) return;
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement =>
      "name" in field && typeof field.name === "string" && field.name.startsWith(`${list}[`) && !isHidden(field),
  );
  const rows = [...new Set(fields.map(({ name }) => toRow(name, list)))];
  const row = kind === "insert" ? rows.at(-1) : (rows[index] ?? rows.at(-1));
  const target = fields.find(({ name }) => toRow(name, list) === row) ?? document.getElementById(`${formId}-${list}`);
  target?.focus();
}

function isHidden(field: Element): boolean {
  return field instanceof HTMLInputElement && field.type === "hidden";
}

function toRow(fieldName: string, list: string): string {
  return fieldName.slice(0, fieldName.indexOf("]", list.length) + 1);
}

/** The row or list that gets `autofocus` when the server returns the page after a row was added or removed. */
export function changedRow(result: SubmissionResult | undefined): string | undefined {
  const intent: Intent | undefined = result?.intent;
  if (intent?.type === "remove") return intent.payload.name;
  if (intent?.type !== "insert") return undefined;
  return `${intent.payload.name}[${getLength(result?.initialValue, intent.payload.name) - 1}]`;
}

function getLength(values: unknown, list: string): number {
  const found = list
    .split(".")
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], values);
  return Array.isArray(found) ? found.length : 0;
}
