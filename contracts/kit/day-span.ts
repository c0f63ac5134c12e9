import { moment } from "./endpoint.ts";
import { timeZone } from "./time-zone.ts";

/** Between two moments, by days of a zone; `readDaySpan` judges it. */
export const daySpan = {
  from: moment.describe("Not before this moment"),
  to: moment
    .describe("Before this moment; at most 31 days after `from`")
    .openapi({ example: "2026-04-24T09:30:00.000Z" }),
  timeZone: timeZone.default("UTC").describe("Whose days are meant."),
};
