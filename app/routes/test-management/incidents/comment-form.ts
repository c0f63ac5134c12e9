import { z } from "zod";

/** The service validates the rest. */
export const commentForm = z.object({ text: z.string("Write a comment") });
