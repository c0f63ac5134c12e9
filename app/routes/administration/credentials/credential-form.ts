import { z } from "zod";
import { type CredentialSettings, credentialInput, credentialTypes } from "#contracts/security-service/credentials.ts";

/** Fields as the form sends them: what was left empty is missing. Sent on, they are a `CredentialInput`. */
const fields = z.object({
  name: z.string().default(""),
  domain: z.string().default(""),
  type: z.enum(credentialTypes, { error: "Choose a type" }),
  settings: credentialInput.shape.settings.default({}),
  secret: z.string().optional(),
});
export type CredentialFields = z.infer<typeof fields>;

/** What is chosen before anybody chooses. */
export const newSettings: CredentialSettings = { in: "header", clientAuthentication: "client_secret_basic" };

const wanted: Record<CredentialFields["type"], [name: keyof CredentialSettings, message: string][]> = {
  basic: [["username", "Enter the user name"]],
  bearer: [],
  apiKey: [
    ["in", "Choose where the key goes: header, query or cookie"],
    ["parameterName", "Enter the name of the header or parameter"],
  ],
  oauth2ClientCredentials: [
    ["tokenUrl", "Enter the token URL"],
    ["clientId", "Enter the client ID"],
  ],
  digest: [["username", "Enter the user name"]],
  mutualTls: [["certificate", "Enter the client certificate"]],
  awsSignatureV4: [
    ["accessKeyId", "Enter the access key ID"],
    ["region", "Enter the region"],
    ["service", "Enter the service"],
  ],
};

/**
 * The service's own rules, and what is missing for the chosen type: all of it is said in one go, where the service would first
 * ask for the one and then for the other.
 */
function addFaults(given: CredentialFields, secretNeeded: boolean, fault: (path: string[], message: string) => void) {
  const { type, settings } = given;
  for (const { path, message } of credentialInput.safeParse(given).error?.issues ?? [])
    fault(path.map(String), message);
  for (const [name, message] of wanted[type]) if (!settings[name]) fault(["settings", name], message);
  if (secretNeeded && !given.secret) fault(["secret"], "Enter the secret");
}

const formFor = (secretNeeded: boolean) =>
  fields.superRefine((given, context) => {
    addFaults(given, secretNeeded, (path, message) => context.addIssue({ code: "custom", path, message }));
  });

export const newCredentialForm = formFor(true);
/** A stored secret stays when none is given; the service knows when it must be given anew. */
export const storedCredentialForm = formFor(false);
