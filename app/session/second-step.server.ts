import { z } from "zod";
import { type BrowserOptions, usedCredential } from "#contracts/security-service/passkeys.ts";
import type { PortalContext } from "~/session/context";
import { credentialIn } from "~/session/credential.server";
import { connectForVisitor } from "~/session/visitor";

/** Factors that can follow the password. */
export interface SecondStep {
  app: boolean;
  passkey: BrowserOptions | null;
}

export const passkeyInput = z.object({
  challenge: z.string().min(1).max(200),
  credential: credentialIn(usedCredential),
});

/** Requested for each page: a signed challenge can be used once. A code may always be tried. */
export async function askSecondStep(context: PortalContext, challenge: string | undefined): Promise<SecondStep> {
  if (!challenge) return { app: true, passkey: null };
  const { backend, headers } = await connectForVisitor(context);
  const result = await backend.securityService.beginSecondStep({ headers, body: { challenge } });
  return result.ok ? result.value : { app: true, passkey: null };
}
