type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields whose value was changed by the user since the page loaded, or restored by the browser when going back. */
export function changedFields(within: Element): Field[] {
  const fields = [...within.querySelectorAll<Field>("input:not([type=file]), textarea, select")];
  return fields.filter((field) => {
    const { now, first } = getContent(field);
    return Object.values(now)[0] !== Object.values(first)[0];
  });
}

/**
 * Resets the fields that were changed before their script loaded: React would overwrite a text area, and other code would
 * take the changed value for the initial one.
 * @returns restores the changes.
 */
export function takeTyped(within: Element): () => void {
  // All before any is reset: selecting one of several radio buttons deselects another.
  const changed = changedFields(within).map((field) => ({ field, ...getContent(field) }));
  const putCaretBack = rememberCaret();
  for (const { field, first } of changed) Object.assign(field, first);
  return () => {
    for (const { field, now } of changed) Object.assign(field, now);
    putCaretBack();
    for (const { field } of changed) field.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

function getContent(field: Field): Record<"now" | "first", { value: string } | { checked: boolean }> {
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return { now: { value: field.value }, first: { value: first?.value ?? "" } };
  }
  if (field.type === "checkbox" || field.type === "radio") {
    const { checked, defaultChecked } = field as HTMLInputElement;
    return { now: { checked }, first: { checked: defaultChecked } };
  }
  return { now: { value: field.value }, first: { value: field.defaultValue } };
}

function rememberCaret(): () => void {
  const field = document.activeElement;
  const { selectionStart = null, selectionEnd = null } = field as Partial<HTMLTextAreaElement>;
  return () => {
    if (selectionStart !== null) (field as HTMLTextAreaElement).setSelectionRange(selectionStart, selectionEnd);
  };
}
