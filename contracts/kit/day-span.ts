import { moment } from "./endpoint.ts";
import { timeZone } from "./time-zone.ts";

/** A range of time in days of a zone, validated by `readDaySpan`. */
export const daySpan = {
  from: moment.describe("From this moment on"),
  to: moment
    .describe("Before this moment; at most 31 days after `from`")
    .openapi({ example: "2026-04-24T09:30:00.000Z" }),
  timeZone: timeZone.default("UTC").describe("Time zone that defines the days."),
};
