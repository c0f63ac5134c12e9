import { z } from "@hono/zod-openapi";

export const placeRules = ["any", "all", "atLeast", "inTurn"] as const;
export type PlaceRuleName = (typeof placeRules)[number];

/** Of a circle, the portal itself included. */
export const maxPlaces = 10;

const rule = {
  rule: z
    .enum(placeRules)
    .describe(
      "When a test fails: `any`: from one place. `all`: from every place that responded, which are two at least. `atLeast`: from `minimum` places. If it fails from fewer, it is `regional`. `inTurn`: each run is sent from the next place only.",
    ),
  minimum: z.int().min(1).max(maxPlaces).optional().describe("With `atLeast`."),
};
export const placeRule = z.object(rule);
export type PlaceRule = z.infer<typeof placeRule>;

/** Several places that a circle is sent from. */
export const circlePlaces = z
  .object({
    portal: z.boolean().describe("Whether the portal itself is one of them."),
    locationIds: z.array(z.uuid()).max(maxPlaces).describe("Where agents send it from, each once."),
    ...rule,
  })
  .openapi("CirclePlaces");
export type CirclePlaces = z.infer<typeof circlePlaces>;

/** In the order in which they take turns: the portal first. Null: the portal itself. */
export function listPlaces({ portal, locationIds }: Pick<CirclePlaces, "portal" | "locationIds">): (string | null)[] {
  return [...(portal ? [null] : []), ...locationIds];
}

/** How many places a rule needs: with fewer, no test could ever fail by it. One answer alone is not all. */
export function getLeastPlaces({ rule: given, minimum = 1 }: PlaceRule): number {
  return given === "all" ? 2 : given === "atLeast" ? minimum : 1;
}

/** What is wrong with places, at their fields. */
export function findPlaceErrors(places: CirclePlaces): { path: string; message: string }[] {
  const { locationIds, rule: given, minimum } = places;
  const count = listPlaces(places).length;
  const errors: { path: string; message: string }[] = [];
  if (new Set(locationIds).size < locationIds.length) {
    errors.push({ path: "locationIds", message: "Choose each location once" });
  }
  if (count < 2 || count > maxPlaces) {
    errors.push({ path: "locationIds", message: `Choose 2 to ${maxPlaces} places, this portal included` });
  }
  if (given === "atLeast" && (minimum === undefined || minimum > count)) {
    errors.push({ path: "minimum", message: "Enter how many of these places have to fail" });
  }
  return errors;
}
