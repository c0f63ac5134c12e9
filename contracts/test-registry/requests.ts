import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";

const pair = z.object({
  name: z.string().trim().min(1, "Name it, or remove the row").max(500),
  value: z.string().max(100_000),
  enabled: z.boolean().default(true),
});
export type Pair = z.infer<typeof pair>;

export const requestBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  /** `text` is the JSON as written, to preserve number formats and layout. */
  z.object({ kind: z.literal("json"), text: z.string().max(1_048_576), mediaType: orNone(z.string().max(200)) }),
  z.object({ kind: z.literal("text"), text: z.string().max(1_048_576), mediaType: z.string().max(200) }),
  z.object({ kind: z.literal("form"), fields: z.array(pair).max(200) }),
  z.object({
    kind: z.literal("multipart"),
    parts: z
      .array(pair.extend({ fileName: orNone(z.string().max(300)), mediaType: orNone(z.string().max(200)) }))
      .max(200),
  }),
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
