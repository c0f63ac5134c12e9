import { z } from "zod";
import { locationInput } from "#contracts/test-executioner/locations.ts";

const { name, description } = locationInput.shape;

export const locationForm = z.object({
  name: z.string("Give the location a name").pipe(name),
  description: z.string().optional().pipe(description),
});
export type LocationForm = z.input<typeof locationForm>;
