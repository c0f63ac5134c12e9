import { z } from "zod";

/** Somebody who is at their organization's provider now, as the browser that began has it. */
const begunSignOn = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Where they go. */
  url: z.string(),
  /** Where they wanted to go here. */
  redirectTo: z.string(),
  /** Nobody is signed in by it: this account tries the provider. */
  triedBy: z.string().optional(),
  /** Nor by this: an account without a password shows that it is still its owner. */
  confirmedBy: z.string().optional(),
});
export type BegunSignOn = z.infer<typeof begunSignOn>;

/** What came of a trial, for the account that made it. */
const signOnResult = z.object({
  triedBy: z.string(),
  email: z.string(),
  claims: z.array(z.string()),
  roleValues: z.array(z.string()),
  roles: z.array(z.string()),
  usedSecondFactor: z.boolean(),
  fault: z.string().nullable(),
});
export type SignOnResult = z.infer<typeof signOnResult>;

export const signOn = z.object({ begun: begunSignOn.optional(), result: signOnResult.optional() });
export type SignOn = z.infer<typeof signOn>;
