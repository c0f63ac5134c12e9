import { type DescribedOperation, describedOperation } from "#contracts/api-registry/operations.ts";

/** What a later version adds is optional, so that operations stored before it stay readable. */
export function parseDescribedOperation(text: string): DescribedOperation {
  return describedOperation.parse(JSON.parse(text));
}
