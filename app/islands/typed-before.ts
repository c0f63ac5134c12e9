type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields in which something was typed or chosen since they came with their page, or restored by the browser on the way back. */
export function changedFields(within: Element): Field[] {
  const fields = [...within.querySelectorAll<Field>("input:not([type=file]), textarea, select")];
  return fields.filter((field) => {
    const { now, first } = contentOf(field);
    return Object.values(now)[0] !== Object.values(first)[0];
  });
}

/**
 * Takes out of the fields what was typed and chosen before their script came: React would start a text area anew, and whatever
 * looks at the form would take it for what it came with.
 * @returns types and chooses it again.
 */
export function takeTyped(within: Element): () => void {
  // All before any is reset: choosing one of several radio buttons takes another's choice.
  const changed = changedFields(within).map((field) => ({ field, ...contentOf(field) }));
  const putCaretBack = rememberCaret();
  for (const { field, first } of changed) Object.assign(field, first);
  return () => {
    for (const { field, now } of changed) Object.assign(field, now);
    putCaretBack();
    for (const { field } of changed) field.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

function contentOf(field: Field): Record<"now" | "first", { value: string } | { checked: boolean }> {
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
