import type { InstallationSettings } from "./settings.ts";

/** What holds where operators set nothing. Apart from the schemas, since pages show it. */
export const defaultSettings: InstallationSettings = {
  testTimeoutSeconds: 120,
  concurrencyPerOrganization: 48,
  answerKibibytes: 1_024,
  egressAllow: [],
  verifiedDomainsOnly: false,
  leastVerdictsDays: 90,
  registrationByInvitation: false,
};
