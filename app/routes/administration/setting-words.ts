import type { InstallationSettings, SettingName } from "#contracts/kit/settings.ts";

interface SettingWords {
  name: string;
  unit?: string;
}

export const settingWords: Record<SettingName, SettingWords> = {
  testTimeoutSeconds: { name: "Longest request of a test", unit: "s" },
  concurrencyPerOrganization: { name: "Requests of one organization at the same time" },
  judgedMebibytes: { name: "Largest evaluated body", unit: "MiB" },
  answerKibibytes: { name: "Stored response body", unit: "KiB" },
  egressAllow: { name: "Allowed private targets" },
  verifiedDomainsOnly: { name: "Tests reach verified domains only" },
  leastVerdictsDays: { name: "Verdicts are stored for at least", unit: "days" },
  passedBodiesEvery: { name: "Unchanged responses are stored again after", unit: "executions" },
  registrationByInvitation: { name: "Accounts are by invitation only" },
};

/** A setting's value in a sentence. */
export function valueWords(name: SettingName, value: unknown): string {
  if (Array.isArray(value)) return value.join(", ") || "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const { unit } = settingWords[name];
  return unit ? `${value} ${unit}` : String(value);
}

/** The effect of a change to a setting; null means the default. */
export function changeWords(name: SettingName, value: unknown, defaults: InstallationSettings): string {
  if (value !== null) return valueWords(name, value);
  return `${valueWords(name, defaults[name])} (default)`;
}
