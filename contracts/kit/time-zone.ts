import { z } from "@hono/zod-openapi";

/** Names of the IANA database; whether there is such a zone, `isTimeZone` knows. */
export const timeZone = z.string().trim().min(1, "Choose a time zone").max(100).openapi({ example: "Europe/Berlin" });
