import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { ifMatchOrNone } from "./service-levels.ts";

const tag: Tag = {
  name: "Status pages",
  description:
    "What everybody may see of a circle: how it stands, how it fared by days, and a badge. Nothing of its tests.",
};

export const statusPageInput = z
  .object({
    title: z.string("Give the page a title").trim().min(1, "Give the page a title").max(120, "At most 120 characters"),
    text: z.string().trim().max(2_000, "At most 2,000 characters").default("").describe("Shown below the standing."),
    message: z
      .string()
      .trim()
      .max(1_000, "At most 1,000 characters")
      .default("")
      .describe("What is going on, in words for everybody. Shown on top, with its time, until it is taken away."),
    name: orNone(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9-]{1,48}[a-z0-9]$/,
          "Use 3 to 50 lower-case letters, digits and hyphens, beginning with a letter",
        ),
    )
      .describe("Where it is, as in `/status/bookshop`. Without a name its address can't be guessed.")
      .openapi({ example: "bookshop" }),
    newAddress: z
      .boolean()
      .default(false)
      .describe("Without a name: makes a new address, and the one until now ends. With a name it changes nothing."),
    showsIncidents: z
      .boolean()
      .default(false)
      .describe("Tells titles of open incidents, which may name tests and hosts, to everybody."),
  })
  .openapi("StatusPageInput");
export type StatusPageInput = z.infer<typeof statusPageInput>;

export const statusPage = z
  .object({
    testCircleId: z.uuid(),
    address: z.string().describe("The page is at `/status/{address}`, its badge at `/status/{address}/badge.svg`."),
    name: z.string().nullable(),
    title: z.string(),
    text: z.string(),
    message: z.string(),
    messageAt: moment.nullable().describe("Since when it says so; null without a message."),
    showsIncidents: z.boolean(),
    version: z.number().int().describe("Counts up with every change; asked for by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("StatusPage");
export type StatusPage = z.infer<typeof statusPage>;

const params = z.object({ testCircleId: z.uuid() });
const path = "/api/v1/test-circles/{testCircleId}/status-page";
const stale = "Somebody else saved since the version in `If-Match`.";

export const getStatusPage = endpoint({
  method: "get",
  path,
  access: "tests:read",
  tag,
  summary: "A circle's status page, if it has one",
  description: "Null while nothing of the circle is public.",
  params,
  status: 200,
  answer: z.object({ statusPage: statusPage.nullable() }),
});

export const setStatusPage = endpoint({
  method: "put",
  path,
  access: "tests:write",
  audit: "status page",
  tag,
  summary: "Opens a circle's status page, or changes it",
  description: "From then on everybody who knows its address sees it, without signing in.",
  params,
  body: statusPageInput,
  status: 200,
  answer: statusPage,
  headers: [ifMatchOrNone],
  problems: { stale_version: stale },
});

export const closeStatusPage = endpoint({
  method: "delete",
  path,
  access: "tests:write",
  audit: "status page",
  tag,
  summary: "Closes a circle's status page",
  description:
    "Its address is answered 404 at once, by other processes within two seconds. Opened again, it is another.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});

const share = z.number().nullable().describe("Good results of all, 0 to 1; null without any.");

export const publishedStatus = z.object({
  title: z.string(),
  text: z.string(),
  isNamed: z.boolean().describe("Whether its owner chose the address: only then may search engines list it."),
  message: z.object({ text: z.string(), at: moment }).nullable().describe("What its owner says of it now."),
  standing: z
    .enum(["operational", "degraded", "down", "unknown"])
    .describe(
      "By the last whole run that came to a verdict: `down` where less than half of it was good. `degraded` also while an incident is open.",
    ),
  since: moment.nullable().describe("Of what is degraded or down: since when."),
  checkedAt: moment.nullable().describe("When that run ended."),
  days: z
    .array(z.object({ day: z.string(), share, results: z.number().int() }))
    .describe("The last 90 in UTC, oldest first."),
  share30: share,
  share90: share,
  counts: z.enum(["passRate", "availability"]),
  objective: z.number().nullable().describe("Of its service level."),
  incidents: z
    .array(z.object({ title: z.string(), openedAt: moment }))
    .nullable()
    .describe("Null where they are not told."),
  asOf: moment.describe("When this was so."),
});
export type PublishedStatus = z.infer<typeof publishedStatus>;

export const readPublishedStatus = endpoint({
  method: "get",
  path: "/internal/v1/published-statuses/{address}",
  access: "internal",
  acrossOrganizations: "It is published",
  summary: "What everybody may see at a status page's address",
  description:
    "The address alone says which page it is. At most half a minute old, or older while executions can't be asked.",
  params: z.object({ address: z.string().max(100) }),
  status: 200,
  answer: publishedStatus,
});
