import { z } from "zod";
import { readTags } from "~/test-editor/tags";

/** An address that requests can go to. */
export const baseAddress = z
  .string()
  .trim()
  .max(4_000)
  .refine(
    (text) => URL.canParse(text) && /^https?:/i.test(text),
    "Write a whole address, as in https://api.example.com/v1",
  );

/** Tags in one line, separated by commas. */
export const tagsText = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const tags = readTags(text);
    if (tags.length > 20) context.addIssue({ code: "custom", message: "Give at most 20 tags" });
    if (tags.some((tag) => tag.length > 60)) {
      context.addIssue({ code: "custom", message: "A tag has at most 60 characters" });
    }
  });
