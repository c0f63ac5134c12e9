import { z } from "zod";
import { domainInput, proofMethods, unsafeMethodRules } from "#contracts/security-service/domains.ts";

/** The fields of a domain that can be changed. */
export const domainSettingsForm = z.object({
  description: z.string().max(500, "Use at most 500 characters").optional(),
  method: z.enum(proofMethods, { error: "Choose a verification method" }),
  unsafeMethods: z.enum(unsafeMethodRules, { error: "Choose an action" }),
});

export const newDomainForm = domainSettingsForm.extend({
  name: z.string({ error: "Enter the host name" }).pipe(domainInput.shape.name),
});
export type NewDomain = z.infer<typeof newDomainForm>;
