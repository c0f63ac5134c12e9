import { z } from "@hono/zod-openapi";

/** Checks the form of an IANA name only; `isTimeZone` checks that the zone exists. */
export const timeZone = z.string().trim().min(1, "Choose a time zone").max(100).openapi({ example: "Europe/Berlin" });
