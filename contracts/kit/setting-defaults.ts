import type { InstallationSettings } from "./settings.ts";

/** Used where operators have set nothing. Separate from the schemas, because pages display them. */
export const defaultSettings: InstallationSettings = {
  testTimeoutSeconds: 120,
  concurrencyPerOrganization: 48,
  answerKibibytes: 1_024,
  judgedMebibytes: 32,
  egressAllow: [],
  verifiedDomainsOnly: false,
  leastVerdictsDays: 90,
  passedBodiesEvery: 20,
  registrationByInvitation: false,
};
