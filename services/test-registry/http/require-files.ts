import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { touchFiles } from "../store/files.ts";
import type { TestTransaction } from "../store/tables.ts";

function listNamed(body: RequestBody): { file: StoredFile; path: string }[] {
  if (body.kind === "file") return [{ file: body.file, path: "request.body.file" }];
  if (body.kind !== "multipart") return [];
  return body.parts.flatMap(({ file }, index) => (file ? [{ file, path: `request.body.parts[${index}].file` }] : []));
}

/**
 * Checks that the organization has stored the files that tests name, and keeps those from being deleted. Costs nothing
 * for tests without files.
 * @param tests each with the path prefix of its fields, e.g. `items[3].`
 * @throws Problem invalid_input at the field of each unknown file
 */
export async function requireFiles(
  transaction: TestTransaction,
  organizationId: string,
  tests: readonly { test: Pick<TestInput, "request">; pathPrefix?: string }[],
  now: Date,
): Promise<void> {
  const named = tests.flatMap(({ test, pathPrefix = "" }) =>
    listNamed(test.request.body).map(({ file, path }) => ({ file, path: pathPrefix + path })),
  );
  if (named.length === 0) return;
  const hashes = named.map(({ file }) => file.sha256);
  const sizes = await touchFiles(transaction, organizationId, hashes, now);
  const errors = named.flatMap(({ file, path }): FieldError[] => {
    const size = sizes.get(file.sha256);
    if (size === undefined) return [{ path, message: "This file is not stored. Choose it again." }];
    return size === file.size ? [] : [{ path: `${path}.size`, message: `The file has ${size} bytes` }];
  });
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}
