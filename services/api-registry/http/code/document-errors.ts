import { Problem } from "#contracts/kit/problem.ts";

/** Errors of a document, at the field of the object that names it; other errors as they are. */
export function atDocument(error: unknown, index: number): unknown {
  if (!(error instanceof Problem)) return error;
  const isOfSource = error.extras.errors?.every(({ path }) => path.startsWith("source")) ?? true;
  if (error.code !== "invalid_input" || !isOfSource) return error;
  const path = `objects[${index}].value.document.sha256`;
  const errors = (error.extras.errors ?? [{ path, message: error.detail }]).map(({ message }) => ({ path, message }));
  return new Problem(error.code, error.detail, { ...error.extras, errors });
}
