import { z } from "@hono/zod-openapi";
import { alertChannelCode, alertRuleCode, serviceLevelCode, statusPageCode } from "./alerting.ts";
import { apiCode } from "./api.ts";
import { circleCode, maintenanceWindowCode, scheduleCode } from "./circle.ts";
import { codeKey } from "./references.ts";
import { testCode } from "./test.ts";

const key = codeKey.describe("Identifies it among its siblings, and stays when its name changes.");
const keyed = { key };
const { document, ...apiFields } = apiCode.shape;
const { name: apiName, ...otherApiFields } = apiFields;

const api = z.strictObject({
  ...keyed,
  name: apiName,
  document: z
    .string()
    .min(1)
    .describe("Path of the OpenAPI document, from the folder of this file.")
    .meta({ examples: ["openapi.yaml"] }),
  ...otherApiFields,
});

const circle = z.strictObject({
  ...keyed,
  ...circleCode.shape,
  schedules: z
    .array(z.strictObject({ ...keyed, ...scheduleCode.shape }))
    .optional()
    .describe("When it runs by itself."),
  serviceLevel: serviceLevelCode.optional(),
  statusPage: statusPageCode.optional(),
});

/** One file of assurance as code. A folder may have any number, in any names; an object is in one of them. */
export const codeFile = z
  .strictObject({
    $schema: z.string().optional().describe("Address of this schema, for editors."),
    api: codeKey.optional().describe("Key of the API of the tests of this file."),
    apis: z.array(api).optional(),
    tests: z
      .array(z.strictObject({ ...keyed, ...testCode.shape }))
      .optional()
      .describe("Tests of `api`."),
    circles: z.array(circle).optional(),
    maintenanceWindows: z.array(z.strictObject({ ...keyed, ...maintenanceWindowCode.shape })).optional(),
    alertChannels: z.array(z.union(alertChannelCode.options.map((one) => one.extend(keyed)))).optional(),
    alertRules: z.array(z.strictObject({ ...keyed, ...alertRuleCode.shape })).optional(),
  })
  .describe("APIs, tests, circles and what belongs to them, as files of a repository have them.");
