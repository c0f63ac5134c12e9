import { z } from "zod";

/** What else a comment has to be the service says. */
export const commentForm = z.object({ text: z.string("Write a comment") });
