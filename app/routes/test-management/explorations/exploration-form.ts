import { z } from "zod";
import { defaultExploration, explorationInput } from "#contracts/test-executioner/explorations.ts";

const { maxRequests, maxSeconds, requestsPerSecond } = defaultExploration;

const figure = (words: string, least: number, most: number, otherwise: number) => {
  const error = `${words}: a whole number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}`;
  return z.number({ error }).int(error).min(least, error).max(most, error).default(otherwise);
};

/** The form that starts an exploration. Empty fields have their defaults. */
export const explorationForm = z.object({
  environment: explorationInput.shape.environment.unwrap().unwrap().optional(),
  maxRequests: figure("Requests", 10, 20_000, maxRequests),
  maxSeconds: figure("Seconds", 10, 3_600, maxSeconds),
  requestsPerSecond: figure("Requests a second", 1, 100, requestsPerSecond),
  seed: z
    .number({ error: "A seed is a whole number from 0 to 4,294,967,295" })
    .int("A seed is a whole number from 0 to 4,294,967,295")
    .min(0, "A seed is a whole number from 0 to 4,294,967,295")
    .max(4_294_967_295, "A seed is a whole number from 0 to 4,294,967,295")
    .optional(),
  changes: z.boolean().default(false),
});
