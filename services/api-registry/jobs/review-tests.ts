import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { ComparedDocument } from "#libraries/openapi/comparison/compare-documents.ts";
import type { SampleSource } from "#libraries/openapi/sample/sample-source.ts";
import type { OperationVersion } from "#libraries/review/operation-version.ts";
import { reviewTest } from "#libraries/review/review-test.ts";
import { toSampleSource } from "../domain/description/describe-document.ts";
import type { EffectsByTest, ReviewedOperation } from "./import-messages.ts";

/** What a new version of a document does to tests. Only their operations are parsed. */
export function reviewTests(
  operations: readonly ReviewedOperation[],
  before: ComparedDocument,
  after: ComparedDocument,
  read: (described: string) => DescribedOperation,
): EffectsByTest {
  const [old, now] = [before, after].map((document) => createVersions(document, read));
  const effects: EffectsByTest = {};
  for (const { method, path, pathAfter, tests } of operations) {
    const was = old!(method, path);
    if (!was) continue;
    const is = pathAfter === undefined ? undefined : now!(method, pathAfter);
    for (const { id, test } of tests) effects[id] = reviewTest(test, was, is);
  }
  return effects;
}

function createVersions(document: ComparedDocument, read: (described: string) => DescribedOperation) {
  const bodies = new Map([...document.components.values()].map(({ reference, body }) => [reference, body]));
  const source: SampleSource = toSampleSource({ getBody: (reference) => bodies.get(reference) });
  const byKey = new Map(
    document.operations
      .filter(({ kind }) => kind === "operation")
      .map((one) => [`${one.method.toLowerCase()} ${one.path}`, one.described]),
  );
  return (method: string, path: string): OperationVersion | undefined => {
    const described = byKey.get(`${method.toLowerCase()} ${path}`);
    return described === undefined ? undefined : { operation: read(described), source };
  };
}
