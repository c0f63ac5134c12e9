import { z } from "zod";
import { authorizationConfigInput } from "#contracts/security-service/authorization-configs.ts";

const { domain, schemeName } = authorizationConfigInput.shape;

/** The fields of a config that can be changed. */
export const storedConfigForm = z.object({
  schemeName: z.string({ error: "Enter the name of the security scheme" }).pipe(schemeName),
  credentialId: z.uuid("Choose a credential"),
});

/** The button that leads to a new credential. */
export const createsCredential = "create-credential";

export const newConfigForm = storedConfigForm.extend({
  domain: z.string({ error: "Enter the host name" }).pipe(domain),
});
export type NewConfig = z.infer<typeof newConfigForm>;
