import type { FieldError } from "#contracts/kit/problem.ts";
import type { CircleInput, CircleVariable } from "#contracts/test-registry/circles.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through.
const control = /[\u0000-\u001f\u007f]/;

/** A secret sent without a value keeps the stored one. */
export function keepsValue({ secret, value }: CircleVariable): boolean {
  return secret && (value === null || value === "");
}

/**
 * Errors of a circle, by field.
 * @param keptNames names of secret variables that already have a value
 */
export function findCircleFaults(
  { name, variables }: Pick<CircleInput, "name" | "variables">,
  keptNames: ReadonlySet<string>,
): FieldError[] {
  const faults: FieldError[] = [];
  if (control.test(name)) faults.push({ path: "name", message: "Remove the control characters" });
  variables.forEach((variable, index) => {
    const path = `variables[${index}]`;
    if (variables.findIndex((other) => other.name === variable.name) < index) {
      faults.push({ path: `${path}.name`, message: `Another variable is named ${variable.name}` });
    }
    if (keepsValue(variable) ? !keptNames.has(variable.name) : variable.value === null) {
      faults.push({ path: `${path}.value`, message: "Give it a value" });
    }
    if (variable.value?.includes("\u0000")) faults.push({ path: `${path}.value`, message: "Remove the NUL character" });
  });
  return faults;
}
