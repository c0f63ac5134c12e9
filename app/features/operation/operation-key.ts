/** What tells an operation apart from the others of its API. */
export interface OperationKey {
  method: string;
  path: string;
}
