import { z } from "@hono/zod-openapi";
import { endpoint } from "./endpoint.ts";
import { wholeNumber } from "./whole-number.ts";

const allowedTarget = z
  .string()
  .trim()
  .max(300, "An entry has at most 300 characters")
  .openapi({ example: "10.0.0.1:8080" });

/** Upper bound of a list that an operator can still oversee. */
const maxTargets = 200;

/** Settings an operator changes at runtime, with their bounds. Defaults are in `setting-defaults.ts`. */
export const settingSchemas = {
  testTimeoutSeconds: wholeNumber("seconds", 1, 120).describe("Upper bound for one request of a test."),
  concurrencyPerOrganization: wholeNumber("requests", 1, 48).describe(
    "Concurrent requests of one organization, per process.",
  ),
  answerKibibytes: wholeNumber("KiB", 1, 1_024).describe("How much of a response body is stored."),
  judgedMebibytes: wholeNumber("MiB", 1, 100).describe("How much of a test's response body is read and judged."),
  egressAllow: z
    .array(allowedTarget)
    .max(maxTargets, `At most ${maxTargets} entries: use ranges`)
    .describe("Private targets that tests may reach, in addition to those of EGRESS_ALLOW."),
  verifiedDomainsOnly: z
    .boolean()
    .describe("Requests of tests are sent only to verified domains of their organization."),
  leastVerdictsDays: wholeNumber("days", 1, 3_650).describe(
    "Runs, and the verdicts of their tests, are stored at least this long, and four times as long as the plan stores bodies.",
  ),
  passedBodiesEvery: wholeNumber("executions", 1, 1_000).describe(
    "Of executions that pass with an unchanged response, one in so many is stored completely; of the others, what differs.",
  ),
  registrationByInvitation: z.boolean().describe("Only invited people can create an account."),
};

export const settings = z.object(settingSchemas);
export type InstallationSettings = z.output<typeof settings>;
export type SettingName = keyof InstallationSettings;
export const settingNames = Object.keys(settingSchemas) as SettingName[];

/** Polled by every process. */
export const settingsContract = {
  readSettings: endpoint({
    method: "get",
    path: "/internal/v1/settings",
    access: "internal",
    summary: "Settings in effect: values set by operators, else defaults",
    status: 200,
    response: settings,
  }),
};
