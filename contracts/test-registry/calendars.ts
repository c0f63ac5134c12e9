import { z } from "@hono/zod-openapi";
import { endpoint, moment } from "../kit/endpoint.ts";
import { schedulesTag as tag } from "./schedule-previews.ts";
import { ofCircles } from "./schedules.ts";

export const getCalendar = endpoint({
  method: "get",
  path: "/api/v1/calendar",
  access: "tests:read",
  tag,
  summary: "Whether the caller has a calendar URL",
  description: "The URL itself is returned only at its creation: the token is stored as a hash.",
  status: 200,
  response: z.object({ calendar: z.object({ createdAt: moment }).nullable() }),
});

export const renewCalendar = endpoint({
  method: "post",
  path: "/api/v1/calendar",
  access: "tests:read",
  audit: "calendar",
  tag,
  summary: "Creates or renews the caller's calendar URL",
  description:
    "The previous one ends. Anyone with the URL can see when schedules run, until it is renewed or deleted or its user disabled.",
  status: 201,
  response: z.object({
    token: z.string().openapi({ example: "u9C0xWn0mJ2h0w6V3q8dKk1yZr5tLb7eXa4sPfGcHiM" }),
    createdAt: moment,
  }),
});

export const deleteCalendar = endpoint({
  method: "delete",
  path: "/api/v1/calendar",
  access: "tests:read",
  audit: "calendar",
  tag,
  summary: "Deletes the caller's calendar URL",
  description: "Idempotent.",
  status: 204,
});

export const readCalendar = endpoint({
  method: "get",
  path: "/api/v1/calendars/{calendarToken}/schedules.ics",
  access: "public",
  tag,
  summary: "When schedules will run, as a calendar to subscribe to",
  description:
    "The next 35 days (RFC 5545). A schedule that runs more than twelve times in a day is a single entry for that day.",
  params: z.object({
    calendarToken: z
      .string()
      .max(100)
      .describe("From the URL returned at its creation")
      .openapi({ example: "u9C0xWn0mJ2h0w6V3q8dKk1yZr5tLb7eXa4sPfGcHiM" }),
  }),
  query: z.object(ofCircles),
  status: 200,
  otherResponses: {
    "text/calendar": {
      description: "iCalendar, in UTF-8; times in UTC.",
      example: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
    },
  },
});
