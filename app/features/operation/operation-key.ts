/** Identifies an operation within its API. */
export interface OperationKey {
  method: string;
  path: string;
}
