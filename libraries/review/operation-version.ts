import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { SampleSource } from "../openapi/sample/sample-source.ts";

/** One version of an operation, with the components of its document. */
export interface OperationVersion {
  operation: DescribedOperation;
  source: SampleSource;
}
