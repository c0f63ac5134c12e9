import type { FieldError } from "#contracts/kit/problem.ts";
import type { CircleInput, CircleVariable } from "#contracts/test-registry/circles.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
const control = /[\u0000-\u001f\u007f]/;

/** A secret sent without a value keeps the stored one. */
export function retainsValue({ secret, value, reference }: CircleVariable): boolean {
  return secret && !reference && (value === null || value === "");
}

/**
 * Errors of a circle, by field.
 * @param storedNames names of secret variables that already have a value
 */
export function findCircleErrors(
  { name, variables }: Pick<CircleInput, "name" | "variables">,
  storedNames: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (control.test(name)) errors.push({ path: "name", message: "Remove the control characters" });
  variables.forEach((variable, index) => {
    const path = `variables[${index}]`;
    if (variables.findIndex((other) => other.name === variable.name) < index) {
      errors.push({ path: `${path}.name`, message: `Another variable is named ${variable.name}` });
    }
    if (variable.reference) {
      const message = "Only a secret variable without a value is read elsewhere";
      if (!variable.secret || variable.value) errors.push({ path: `${path}.reference`, message });
      return;
    }
    if (retainsValue(variable) ? !storedNames.has(variable.name) : variable.value === null) {
      errors.push({ path: `${path}.value`, message: "Give it a value" });
    }
    if (variable.value?.includes("\u0000")) errors.push({ path: `${path}.value`, message: "Remove the NUL character" });
  });
  return errors;
}
