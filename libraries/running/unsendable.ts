import type { Cause } from "#contracts/test-executioner/attempts.ts";

/** Code of a request with placeholders that have no value. */
export const missingVariable = "variable_missing";

/** Code of a request with a variable whose value does not fit its location. */
export const unfitVariable = "variable_unfit";

/** Why a request can't be sent; thrown while planning and returned as the attempt's cause. */
export class Unsendable extends Error {
  override readonly cause: Cause;

  /** @param credentialId of the credential that is the cause */
  constructor(
    code: string,
    detail: string,
    readonly credentialId?: string,
  ) {
    super(detail);
    this.cause = { code, detail };
  }
}
