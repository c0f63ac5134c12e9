import { z } from "@hono/zod-openapi";

/** Query of a search: the likeliest matches of each kind, without pages. */
export const searchQuery = z.object({
  query: z
    .string()
    .trim()
    .min(1, "Enter what to search for")
    .max(200)
    .describe("Beginnings of words, all of which must match, in any order and ignoring case")
    .openapi({ example: "orders" }),
  limit: z.coerce.number().int().min(1).max(100).default(5).describe("Maximum number of items of each kind"),
});

/** How many match: counting more would take too long. */
export const foundCounts = {
  total: z.number().int().describe("How many match, counted up to 100"),
  hasMore: z.boolean().describe("Whether more match than were counted"),
};
