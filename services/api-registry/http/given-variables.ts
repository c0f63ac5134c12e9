import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import type { FieldError } from "#contracts/kit/problem.ts";
import type { StoredSecret } from "../store/secret-variables.ts";

export type Owner = { organizationId: string; apiId: string };

/** The variables of one environment, or those that all share. */
export interface GivenVariables {
  /** Undefined: the shared ones. */
  environment?: string;
  /** Its name so far. */
  formerName?: string | undefined;
  variables: Record<string, string>;
  /** Omitted: the stored ones stay. */
  secretVariables?: readonly SecretVariable[] | undefined;
  /** Of the secret variables in the request, for errors. */
  path: string;
}

export interface SecretVariables {
  /** As they are stored, without sealing again what stays under its name. @throws Problem invalid_input */
  seal(owner: Owner, given: GivenVariables, before: readonly StoredSecret[]): StoredSecret[];
  /** The errors that `seal` throws. */
  findErrors(given: GivenVariables, before: readonly StoredSecret[]): FieldError[];
  open(owner: Owner, secret: StoredSecret): string | null;
}
