import type { Cause } from "#contracts/test-executioner/attempts.ts";

/** Code of a request whose placeholders have no value. */
export const missingVariable = "variable_missing";

/** What keeps a request from being sent, thrown inside planning and answered as the attempt's cause. */
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
