import type { ChangedField } from "#contracts/code/plans.ts";

export const maxChangedFields = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function* compare(path: string, before: unknown, after: unknown): Generator<ChangedField> {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1)
      yield* compare(`${path}[${index}]`, before[index], after[index]);
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* compare(path ? `${path}.${name}` : name, before[name], after[name]);
    return;
  }
  if (before === after) return;
  yield { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The first fields in which two JSON values differ, each with its path as in `request.query[0].value`. */
export function findChangedFields(before: unknown, after: unknown): ChangedField[] {
  const fields: ChangedField[] = [];
  for (const field of compare("", before, after)) if (fields.push(field) === maxChangedFields) break;
  return fields;
}
