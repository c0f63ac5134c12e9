import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { storedFile } from "./files.ts";

const pair = z.object({
  name: z.string().trim().min(1, "Name it, or remove the row").max(500),
  value: z.string().max(100_000),
  enabled: z.boolean().default(true),
});
export type Pair = z.infer<typeof pair>;

/**
 * One part of a multipart body: a text, or a file. It is sent with a file name if it has one; a file without one by
 * the name that it was chosen by.
 */
const part = pair.extend({
  name: z.string().trim().max(500).describe("May be empty only where the body is not `multipart/form-data`."),
  value: z.string().max(100_000).default("").describe("Not sent if there is a `file`."),
  file: orNone(storedFile),
  fileName: orNone(z.string().max(300)),
  mediaType: orNone(z.string().max(200)).describe(
    "Omitted: `application/octet-stream` for a part with a file name, otherwise no Content-Type, which is text.",
  ),
  headers: orNone(
    z.array(z.object({ name: z.string().trim().min(1).max(200), value: z.string().max(2_000) })).max(20),
  ).describe("Further headers of the part. Content-Disposition replaces the part's own."),
});
export type BodyPart = z.infer<typeof part>;

/** RFC 2046, 5.1: any subtype, and parameters but for the boundary. */
const multipartType = /^multipart\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[^"\\{}\r\n]*"|[\w!#$&^.+/-]+))*$/i;

const isFormData = (mediaType: string | undefined) =>
  /^multipart\/form-data\b/i.test(mediaType ?? "multipart/form-data");

export const requestBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  /** `text` is the JSON as written, to preserve number formats and layout. */
  z.object({ kind: z.literal("json"), text: z.string().max(1_048_576), mediaType: orNone(z.string().max(200)) }),
  z.object({ kind: z.literal("text"), text: z.string().max(1_048_576), mediaType: z.string().max(200) }),
  z.object({ kind: z.literal("form"), fields: z.array(pair).max(200) }),
  z
    .object({
      kind: z.literal("multipart"),
      mediaType: orNone(
        z
          .string()
          .max(200)
          .regex(multipartType, "Write a multipart media type, such as multipart/mixed")
          .refine((type) => !/boundary=/i.test(type), "Leave out the boundary: each request gets one of its own"),
      ).describe("Omitted: `multipart/form-data`."),
      parts: z.array(part).max(200),
    })
    .superRefine(({ mediaType, parts }, context) => {
      if (!isFormData(mediaType)) return;
      for (const [index, { name }] of parts.entries()) {
        if (name !== "") continue;
        context.addIssue({ code: "custom", path: ["parts", index, "name"], message: "Name it, or remove the row" });
      }
    }),
  /** The bytes of a file, unchanged. */
  z.object({ kind: z.literal("file"), file: storedFile, mediaType: z.string().max(200) }),
]);
export type RequestBody = z.infer<typeof requestBody>;

/**
 * Authorization of a request. `inherit` uses the credentials configured for its host; `credentials` names them, each
 * for a security scheme of the document ("" for a scheme the document does not have).
 */
export const authorization = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("inherit") }),
  z.object({
    kind: z.literal("credentials"),
    bindings: z
      .array(z.object({ schemeName: z.string().max(200), credentialId: z.uuid("Choose a credential") }))
      .min(1)
      .max(10),
  }),
]);
export type Authorization = z.infer<typeof authorization>;

/** When reading a response stops before its end; the connection is then closed. */
export const readUntil = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("items"),
    count: z.number().int().min(1, "At least 1").max(10_000, "At most 10,000"),
  }),
  z.object({
    kind: z.literal("seconds"),
    seconds: z.number().int().min(1, "At least 1").max(110, "At most 110"),
  }),
]);
export type ReadUntil = z.infer<typeof readUntil>;

export const testRequest = z
  .object({
    baseUrl: orNone(z.string().trim().max(4_000)).describe(
      "Base URL instead of the API's own, e.g. `https://staging.example.com/v1`. May contain `{{variables}}`.",
    ),
    pathParameters: z.array(pair).max(100).default([]),
    query: z.array(pair).max(200).default([]),
    headers: z.array(pair).max(200).default([]),
    cookies: z.array(pair).max(100).default([]),
    body: requestBody.default({ kind: "none" }),
    authorization: authorization.default({ kind: "inherit" }),
    followRedirects: z.boolean().default(false),
    readUntil: orNone(readUntil).describe(
      "Where a response may not end: after `count` events, lines or records of a stream (`text/event-stream`, `application/x-ndjson`, `application/json-seq` and their kind), or `seconds` after its head. What came until then is judged. Omitted: at its end.",
    ),
  })
  .openapi("TestRequest");
export type TestRequest = z.infer<typeof testRequest>;
