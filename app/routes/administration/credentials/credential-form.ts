import { z } from "zod";
import { credentialInput, credentialTypes } from "../../../../services/security-service/contract/credentials.ts";

/** Fields as the form sends them: what was left empty is missing. Sent on, they are a `CredentialInput`. */
const fields = z.object({
  name: z.string().default(""),
  domain: z.string().default(""),
  type: z.enum(credentialTypes, { error: "Choose a type" }),
  settings: credentialInput.shape.settings.default({}),
  secret: z.string().optional(),
});
export type CredentialFields = z.infer<typeof fields>;

/**
 * The service's own rules, and what is missing for the chosen type: all of it is said in one go, where the service would first
 * ask for the one and then for the other.
 */
function addFaults(given: CredentialFields, secretNeeded: boolean, fault: (path: string[], message: string) => void) {
  const { type, settings } = given;
  for (const { path, message } of credentialInput.safeParse(given).error?.issues ?? [])
    fault(path.map(String), message);
  if (type === "basic" && !settings.username) fault(["settings", "username"], "Enter the user name");
  if (type === "apiKey" && !settings.in) {
    fault(["settings", "in"], "Choose where the key goes: header, query or cookie");
  }
  if (type === "apiKey" && !settings.parameterName) {
    fault(["settings", "parameterName"], "Enter the name of the header or parameter");
  }
  if (secretNeeded && !given.secret) fault(["secret"], "Enter the secret");
}

const formFor = (secretNeeded: boolean) =>
  fields.superRefine((given, context) => {
    addFaults(given, secretNeeded, (path, message) => context.addIssue({ code: "custom", path, message }));
  });

export const newCredentialForm = formFor(true);
/** A stored secret stays when none is given; the service knows when it must be given anew. */
export const storedCredentialForm = formFor(false);
