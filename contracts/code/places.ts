import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { maxPlaces, placeRule } from "../test-registry/circle-places.ts";

/** Names the portal itself among locations. */
export const portalPlace = "portal";

export const placesCode = z.strictObject({
  from: z
    .array(z.string().trim().min(1).max(100))
    .min(2, "Name at least two places")
    .max(maxPlaces)
    .describe("Names of locations; `portal` is the portal itself."),
  rule: placeRule.shape.rule,
  minimum: orNone(z.int().min(1).max(maxPlaces)).describe("With `atLeast`: how many of them have to fail."),
});
export type PlacesCode = z.infer<typeof placesCode>;
