import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { templateMediaTypes, templateValueNames } from "./template-values.ts";

export const maxTemplateCharacters = 20_000;

export const alertTemplate = z
  .object({
    mediaType: z.enum(templateMediaTypes).default("application/json"),
    body: z
      .string()
      .min(1, "Write the body")
      .max(maxTemplateCharacters, "A body has at most 20,000 characters")
      .describe(
        `The request body. \`{{name}}\` is replaced by a value, encoded for the media type; names: ${templateValueNames.map((name) => `\`${name}\``).join(", ")}.`,
      )
      .openapi({ example: '{"text": "{{title}}", "tests": {{incident.failing}}}' }),
  })
  .openapi("AlertTemplate");
export type AlertTemplate = z.infer<typeof alertTemplate>;

const reserved = /^(content-(type|length)|host|connection|transfer-encoding|expect|upgrade|te|trailer|keep-alive)$/i;

export const alertHeader = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "A header's name has letters, digits and hyphens")
    .refine((name) => !reserved.test(name) && !/^webhook-/i.test(name), "This header is set by the portal")
    .openapi({ example: "Authorization" }),
  value: z
    .string()
    .trim()
    .max(2_000, "A header's value has at most 2,000 characters")
    .regex(/^[\t\x20-\x7e]+$/, "Write a value of ASCII characters")
    .openapi({ example: "Bearer 8f14e45f" }),
});
export type AlertHeader = z.infer<typeof alertHeader>;

export const alertHeaders = orNone(z.array(alertHeader).max(10, "At most 10 headers")).describe(
  "Additional headers. Values are write-only, because they may be secrets. Omitted on PUT, they are unchanged.",
);
