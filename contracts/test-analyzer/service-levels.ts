import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { entityTag, type Header, ifMatch } from "../kit/headers.ts";
import { identifierList } from "../kit/identifier-list.ts";

const tag: Tag = {
  name: "Service levels",
  description: "How well a circle is to fare over some days, what may still go wrong, and how fast that is used up.",
};

export const countedAs = ["passRate", "availability"] as const;

export const serviceLevelInput = z
  .object({
    objective: z
      .number("Enter a number")
      .min(50, "At least 50 %")
      .max(99.999, "At most 99.999 %: nothing could ever go wrong")
      .multipleOf(0.001, "At most three decimals")
      .describe("Per cent of results that are to be good.")
      .openapi({ example: 99.5 }),
    days: z
      .number("Enter a number")
      .int("Enter whole days")
      .min(7, "At least 7 days")
      .max(90, "At most 90 days")
      .describe("Over how many days, up to now.")
      .openapi({ example: 30 }),
    counts: z
      .enum(countedAs)
      .default("passRate")
      .describe(
        "What is a result. `passRate`: a member of a whole run; good when it passed, bad also when it was skipped since something before it failed. `availability`: a request; good when it was answered, and not with a server error that nobody expected.",
      ),
  })
  .openapi("ServiceLevelInput");
export type ServiceLevelInput = z.infer<typeof serviceLevelInput>;

export const serviceLevel = serviceLevelInput
  .extend({
    testCircleId: z.uuid(),
    burningSince: moment
      .nullable()
      .describe("Since when its budget burns fast, so that it was told; null while it does not."),
    version: z.number().int().describe("Counts up with every change; sent back as ETag and asked for by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("ServiceLevel");
export type ServiceLevel = z.infer<typeof serviceLevel>;

export const measuredLevel = z.object({
  good: z.number().int(),
  bad: z.number().int(),
  share: z.number().nullable().describe("Good ones of all, 0 to 1; null without any."),
  budget: z
    .object({
      allowed: z.number().describe("How many of all so far may be bad."),
      left: z
        .number()
        .describe("Share of the budget that is left: 1 while nothing was bad, below 0 once it is overdrawn."),
      minutes: z.number().describe("The budget as time: so long may everything be bad in these days."),
      minutesLeft: z.number().describe("0 once it is used up."),
    })
    .nullable()
    .describe("Null before the first result."),
  burn: z
    .array(
      z.object({
        hours: z.number().int(),
        rate: z.number().nullable().describe("1 uses the budget up exactly in these days; null without results."),
      }),
    )
    .describe("Of the last hour, 6 hours and 3 days: the share that was bad, divided by the share that may be."),
  isFast: z
    .boolean()
    .describe("A fiftieth of the budget went in the last hour, or a twentieth in the last six, each of an even load."),
  exhaustedInMinutes: z
    .number()
    .nullable()
    .describe(
      "When it is used up at the pace of the last 6 hours, or of 3 days where these had no results; null if not.",
    ),
});
export type MeasuredLevel = z.infer<typeof measuredLevel>;

export const measuredServiceLevel = serviceLevel.extend({ measured: measuredLevel }).openapi("MeasuredServiceLevel");
export type MeasuredServiceLevel = z.infer<typeof measuredServiceLevel>;

const params = z.object({ testCircleId: z.uuid() });
const path = "/api/v1/test-circles/{testCircleId}/service-level";
const stale = "Somebody else saved since the version in `If-Match`.";
/** Also for what is made by the first PUT. */
export const ifMatchOrNone: Header = {
  ...ifMatch,
  description: `${ifMatch.description} \`"0"\` while there was none.`,
};

export const listServiceLevels = endpoint({
  method: "get",
  path: "/api/v1/service-levels",
  access: "tests:read",
  tag,
  summary: "Service levels of circles, as they stand",
  description: "Circles without one are left out.",
  query: z.object({ testCircleIds: identifierList }),
  status: 200,
  answer: z.object({ items: z.array(measuredServiceLevel) }),
});

export const getServiceLevel = endpoint({
  method: "get",
  path,
  access: "tests:read",
  tag,
  summary: "A circle's service level, as it stands",
  description:
    "Results are counted by hours (UTC), so each window begins with an hour. Burn rates are those of the Site Reliability Workbook, chapter 5.",
  params,
  status: 200,
  answer: measuredServiceLevel,
  answerHeaders: [entityTag],
});

export const setServiceLevel = endpoint({
  method: "put",
  path,
  access: "tests:write",
  audit: "service level",
  tag,
  summary: "Sets a circle's service level",
  description: "It counts for what ran before, too.",
  params,
  body: serviceLevelInput,
  status: 200,
  answer: serviceLevel,
  headers: [ifMatchOrNone],
  answerHeaders: [entityTag],
  problems: { stale_version: stale },
});

export const deleteServiceLevel = endpoint({
  method: "delete",
  path,
  access: "tests:write",
  audit: "service level",
  tag,
  summary: "Takes a circle's service level away",
  description: "What ran stays counted.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});
