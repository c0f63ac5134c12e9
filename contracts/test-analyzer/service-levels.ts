import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { entityTag, type Header, ifMatch } from "../kit/headers.ts";
import { identifierList } from "../kit/identifier-list.ts";

const tag: Tag = {
  name: "Service levels",
  description: "Objectives for a circle's results over a period, the remaining error budget, and its burn rate.",
};

export const countedAs = ["passRate", "availability"] as const;

export const serviceLevelInput = z
  .object({
    objective: z
      .number("Enter a number")
      .min(50, "At least 50 %")
      .max(99.999, "At most 99.999 %: nothing could ever go wrong")
      .multipleOf(0.001, "At most three decimals")
      .describe("Required percentage of good results.")
      .openapi({ example: 99.5 }),
    days: z
      .number("Enter a number")
      .int("Enter whole days")
      .min(7, "At least 7 days")
      .max(90, "At most 90 days")
      .describe("Rolling period in days.")
      .openapi({ example: 30 }),
    counts: z
      .enum(countedAs)
      .default("passRate")
      .describe(
        "What is counted as a result. `passRate`: a member of a whole run; good if it passed, bad also if it was skipped after an earlier failure. `availability`: a request; good if it got a response that was not an unexpected server error.",
      ),
  })
  .openapi("ServiceLevelInput");
export type ServiceLevelInput = z.infer<typeof serviceLevelInput>;

export const serviceLevel = serviceLevelInput
  .extend({
    testCircleId: z.uuid(),
    burningSince: moment
      .nullable()
      .describe("When its budget was found to burn fast, which was notified; null while it does not."),
    version: z.number().int().describe("Incremented with every change; sent as ETag and required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("ServiceLevel");
export type ServiceLevel = z.infer<typeof serviceLevel>;

export const measuredLevel = z.object({
  good: z.number().int(),
  bad: z.number().int(),
  share: z.number().nullable().describe("Share of good results, 0 to 1; null without results."),
  budget: z
    .object({
      allowed: z.number().describe("How many of the results so far may be bad."),
      left: z.number().describe("Remaining share of the budget: 1 without bad results, below 0 when it is overdrawn."),
      minutes: z.number().describe("The budget as time: how long everything may be bad within the period."),
      minutesLeft: z.number().describe("0 when it is used up."),
    })
    .nullable()
    .describe("Null before the first result."),
  burn: z
    .array(
      z.object({
        hours: z.number().int(),
        rate: z.number().nullable().describe("1 uses up the budget exactly within the period; null without results."),
      }),
    )
    .describe("Over the last hour, 6 hours and 3 days: the share of bad results divided by the share allowed."),
  isFast: z
    .boolean()
    .describe(
      "A fiftieth of the budget was used in the last hour, or a twentieth in the last six, assuming an even load.",
    ),
  exhaustedInMinutes: z
    .number()
    .nullable()
    .describe(
      "When it is used up at the rate of the last 6 hours, or of 3 days if these had no results; null if it is not.",
    ),
});
export type MeasuredLevel = z.infer<typeof measuredLevel>;

export const measuredServiceLevel = serviceLevel.extend({ measured: measuredLevel }).openapi("MeasuredServiceLevel");
export type MeasuredServiceLevel = z.infer<typeof measuredServiceLevel>;

const params = z.object({ testCircleId: z.uuid() });
const path = "/api/v1/test-circles/{testCircleId}/service-level";
const stale = "Another user saved since the version in `If-Match`.";
/** For resources that the first PUT creates. */
export const ifMatchOrNone: Header = {
  ...ifMatch,
  description: `${ifMatch.description} \`"0"\` if there is none yet.`,
};

export const listServiceLevels = endpoint({
  method: "get",
  path: "/api/v1/service-levels",
  access: "tests:read",
  tag,
  summary: "Service levels of circles with their current status",
  description: "Circles without one are omitted.",
  query: z.object({ testCircleIds: identifierList }),
  status: 200,
  response: z.object({ items: z.array(measuredServiceLevel) }),
});

export const getServiceLevel = endpoint({
  method: "get",
  path,
  access: "tests:read",
  tag,
  summary: "A circle's service level with its current status",
  description:
    "Results are counted per hour (UTC), so each window starts at a full hour. Burn rates follow the Site Reliability Workbook, chapter 5.",
  params,
  status: 200,
  response: measuredServiceLevel,
  responseHeaders: [entityTag],
});

export const setServiceLevel = endpoint({
  method: "put",
  path,
  access: "tests:write",
  audit: "service level",
  tag,
  summary: "Sets a circle's service level",
  description: "Applies to earlier results, too.",
  params,
  body: serviceLevelInput,
  status: 200,
  response: serviceLevel,
  headers: [ifMatchOrNone],
  responseHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteServiceLevel = endpoint({
  method: "delete",
  path,
  access: "tests:write",
  audit: "service level",
  tag,
  summary: "Deletes a circle's service level",
  description: "Counted results are unchanged.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});
