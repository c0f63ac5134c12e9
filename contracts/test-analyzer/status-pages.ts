import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { ifMatch } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { ifMatchOrNone } from "./service-levels.ts";
import { publishedUpdate } from "./status-updates.ts";

const tag: Tag = {
  name: "Status pages",
  description:
    "The public status of one or several circles: current state, daily history, and a badge. Their tests are not public.",
};

export const maxComponents = 20;

export const statusPageComponent = z.object({
  testCircleId: z.uuid("Choose a circle"),
  name: displayName(
    z.string("Give it a public name").trim().min(1, "Give it a public name").max(120, "At most 120 characters"),
  ).describe("Its public name: the circle's own is not published."),
});

export const statusPageInput = z
  .object({
    title: displayName(
      z.string("Give the page a title").trim().min(1, "Give the page a title").max(120, "At most 120 characters"),
    ),
    text: z.string().trim().max(2_000, "At most 2,000 characters").default("").describe("Shown below the status."),
    message: z
      .string()
      .trim()
      .max(1_000, "At most 1,000 characters")
      .default("")
      .describe("Public announcement. Shown on top, with its time, until it is removed."),
    name: orNone(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9-]{1,48}[a-z0-9]$/,
          "Use 3 to 50 lower-case letters, digits and hyphens, beginning with a letter",
        ),
    )
      .describe("Path name, e.g. `/status/bookshop`. Without a name the URL can't be guessed.")
      .openapi({ example: "bookshop" }),
    newAddress: z
      .boolean()
      .default(false)
      .describe("Without a name: creates a new URL and ends the current one. No effect with a name."),
    showsIncidents: z
      .boolean()
      .default(false)
      .describe("Publishes titles of open incidents, which may name tests and hosts."),
    components: z
      .array(statusPageComponent)
      .max(maxComponents, `At most ${maxComponents}`)
      .default([])
      .describe("The circles it shows, in this order. Empty: only the circle that it belongs to, under the title."),
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
    messageAt: moment.nullable().describe("When the message was set; null without a message."),
    showsIncidents: z.boolean(),
    components: z.array(statusPageComponent),
    version: z.number().int().describe("Incremented with every change; required by If-Match."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("StatusPage");
export type StatusPage = z.infer<typeof statusPage>;

const params = z.object({ testCircleId: z.uuid() });
const path = "/api/v1/test-circles/{testCircleId}/status-page";
const stale = "Another user saved since the version in `If-Match`.";

export const getStatusPage = endpoint({
  method: "get",
  path,
  access: "tests:read",
  tag,
  summary: "A circle's status page, if it has one",
  description: "Null while the circle has no public page.",
  params,
  status: 200,
  response: z.object({ statusPage: statusPage.nullable() }),
});

export const setStatusPage = endpoint({
  method: "put",
  path,
  access: "tests:write",
  audit: "status page",
  tag,
  summary: "Creates or changes a circle's status page",
  description: "From then on it is public to anyone who knows its URL, without signing in.",
  params,
  body: statusPageInput,
  status: 200,
  response: statusPage,
  headers: [ifMatchOrNone],
  problems: { stale_version: stale },
});

export const closeStatusPage = endpoint({
  method: "delete",
  path,
  access: "tests:write",
  audit: "status page",
  tag,
  summary: "Deletes a circle's status page",
  description: "Its URL returns 404 immediately, in other processes within two seconds. A new page gets another URL.",
  params,
  status: 204,
  headers: [ifMatch],
  problems: { stale_version: stale },
});

const share = z.number().nullable().describe("Share of good results, 0 to 1; null without results.");

const standing = z.enum(["operational", "degraded", "down", "unknown"]);
const history = {
  since: moment.nullable().describe("Since when it is degraded or down."),
  checkedAt: moment.nullable().describe("When its last run with a verdict ended."),
  days: z
    .array(z.object({ day: z.string(), share, results: z.number().int() }))
    .describe("The last 90 days in UTC, oldest first; a day without results counts nowhere."),
  share30: share,
  share90: share,
  counts: z.enum(["passRate", "availability"]),
  objective: z.number().nullable().describe("From its service level."),
};

export const publishedStatus = z.object({
  title: z.string(),
  text: z.string(),
  isNamed: z.boolean().describe("Whether its owner chose the URL: only then may search engines index it."),
  message: z.object({ text: z.string(), at: moment }).nullable().describe("The owner's current announcement."),
  standing: standing.describe(
    "By the last whole run with a verdict: `down` if less than half of it was good. `degraded` also while an incident is open. Of several circles `down` if all are, `degraded` if one is not operational.",
  ),
  ...history,
  components: z
    .array(z.object({ name: z.string(), standing, ...history }))
    .describe("One for each circle, in the owner's order; what is above is theirs together."),
  incidents: z
    .array(z.object({ title: z.string(), openedAt: moment }))
    .nullable()
    .describe("Null if they are not published."),
  updates: z
    .array(publishedUpdate)
    .describe("The newest 50, newest first: announcements, and incidents if their titles are published."),
  createdAt: moment.describe("When the page was opened."),
  asOf: moment.describe("Time of this status."),
});
export type PublishedStatus = z.infer<typeof publishedStatus>;
export type PublishedComponent = PublishedStatus["components"][number];

export const readPublishedStatus = endpoint({
  method: "get",
  path: "/internal/v1/published-statuses/{address}",
  access: "internal",
  acrossOrganizations: "It is published",
  summary: "Public status of a circle",
  description:
    "Identified by its URL alone. At most half a minute old, or older while test-executioner is unavailable.",
  params: z.object({ address: z.string().max(100) }),
  status: 200,
  response: publishedStatus,
});
