import { z } from "zod";

/** State of a single sign-on in progress, stored in the browser that started it. */
const begunSignOn = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Address at the provider. */
  url: z.string(),
  /** The requested page of the portal. */
  redirectTo: z.string(),
  /** A trial without sign-in: this account tests the provider. */
  triedBy: z.string().optional(),
  /** A confirmation without sign-in: an account without a password authenticates again. */
  confirmedBy: z.string().optional(),
});
export type BegunSignOn = z.infer<typeof begunSignOn>;

/** The result of a trial, for the account that started it. */
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
