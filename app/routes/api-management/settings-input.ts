import { z } from "zod";
import { readTags } from "~/features/test-editor/tags";

/** Comma-separated tags. */
export const tagsText = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const tags = readTags(text);
    if (tags.length > 20) context.addIssue({ code: "custom", message: "Enter at most 20 tags" });
    if (tags.some((tag) => tag.length > 60)) {
      context.addIssue({ code: "custom", message: "A tag has at most 60 characters" });
    }
  });
