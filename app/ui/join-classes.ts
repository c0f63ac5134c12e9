/** One `class` value out of names that may be absent; undefined when none is left, so that no empty attribute is written. */
export function joinClasses(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}
