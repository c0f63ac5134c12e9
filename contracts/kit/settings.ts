import { z } from "@hono/zod-openapi";
import { endpoint } from "./endpoint.ts";
import { wholeNumber } from "./whole-number.ts";

const allowedTarget = z
  .string()
  .trim()
  .max(300, "An entry has at most 300 characters")
  .openapi({ example: "10.0.0.1:8080" });

/** The most of a list that an operator still oversees. */
const mostTargets = 200;

/** What an operator sets while the installation runs: each with its bounds. What is not set is as in `setting-defaults.ts`. */
export const settingSchemas = {
  testTimeoutSeconds: wholeNumber("seconds", 1, 120).describe("The longest that one request of a test may take."),
  concurrencyPerOrganization: wholeNumber("requests", 1, 48).describe(
    "Requests of one organization at the same time, by process.",
  ),
  answerKibibytes: wholeNumber("KiB", 1, 1_024).describe("How much of an answer's body is read and kept."),
  egressAllow: z
    .array(allowedTarget)
    .max(mostTargets, `At most ${mostTargets} entries: use ranges`)
    .describe("Private targets that tests may reach, beside those of EGRESS_ALLOW."),
  verifiedDomainsOnly: z
    .boolean()
    .describe("Requests of tests are sent to verified domains of their organization and to no other."),
  leastVerdictsDays: wholeNumber("days", 1, 3_650).describe(
    "Runs, and how each of their tests ended, are kept at least this long; and four times as long as the plan keeps bodies.",
  ),
  registrationByInvitation: z.boolean().describe("Only people who are invited get an account."),
};

export const settings = z.object(settingSchemas);
export type InstallationSettings = z.output<typeof settings>;
export type SettingName = keyof InstallationSettings;
export const settingNames = Object.keys(settingSchemas) as SettingName[];

/** The call of security-service by which every process learns what is set. */
export const settingsContract = {
  readSettings: endpoint({
    method: "get",
    path: "/internal/v1/settings",
    access: "internal",
    summary: "What operators have set, with defaults where they set nothing",
    status: 200,
    answer: settings,
  }),
};
