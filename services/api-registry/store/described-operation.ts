import { type DescribedOperation, describedOperation } from "#contracts/api-registry/operations.ts";

/** Fields added by later versions are optional, so that operations stored before them remain readable. */
export function parseDescribedOperation(text: string): DescribedOperation {
  return describedOperation.parse(JSON.parse(text));
}
