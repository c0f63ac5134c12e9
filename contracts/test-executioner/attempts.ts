import { z } from "@hono/zod-openapi";
import { moment } from "../kit/endpoint.ts";
import { storedFile } from "../test-registry/files.ts";
import { executionVerdict } from "./verdicts.ts";

const headerPairs = z.array(z.tuple([z.string(), z.string()]));

/** Milliseconds spent in each phase of one request. */
export const phases = z
  .object({
    blocked: z.number(),
    dns: z.number(),
    connect: z.number(),
    tls: z.number(),
    send: z.number(),
    wait: z.number(),
    receive: z.number(),
    total: z.number(),
  })
  .openapi("Phases");
export type Phases = z.infer<typeof phases>;

export const tlsDetails = z
  .object({
    protocol: z.string(),
    cipher: z.string(),
    subject: z.string(),
    issuer: z.string(),
    validFrom: moment,
    validTo: moment,
    daysLeft: z.number(),
    authorized: z.boolean(),
    fingerprint256: z.string(),
  })
  .openapi("TlsDetails");

export const sentRequest = z
  .object({
    method: z.string(),
    url: z.string(),
    server: z
      .literal("operation")
      .optional()
      .describe("Its base URL is the document's server for this operation, not the API's or the environment's."),
    headers: headerPairs,
    /**
     * As text with every known secret replaced; null when there was no body. Instead of a file's bytes it has a line with
     * the file's name, size and hash.
     */
    body: z.string().nullable(),
    bodyBytes: z.number().int(),
    files: z.array(storedFile).optional().describe("The files in the body, in their order."),
  })
  .openapi("SentRequest");
export type SentRequest = z.infer<typeof sentRequest>;

export const receivedResponse = z
  .object({
    url: z.string(),
    status: z.number().int(),
    statusText: z.string(),
    httpVersion: z.string(),
    headers: headerPairs,
    /** Text of at most 1 MiB; null for binary content (then its size and first bytes are stored). */
    body: z.string().nullable(),
    /** The first 256 bytes of binary content, in hex, 16 per line. */
    bodyPreview: z.string().optional(),
    bodyBytes: z.number().int(),
    /** Bytes of the beginning that is stored, where that is not all of it; all of it was judged. */
    keptBytes: z.number().int().optional(),
    bodySha256: z.string().optional().describe("Of a complete body, in hex, where an assertion needs it."),
    /** More was sent than is read; what was read is `bodyBytes` long. */
    truncated: z.boolean(),
    /** The test had read enough, by the number of items or by time; the connection was closed. */
    stopped: z.enum(["items", "seconds"]).optional(),
    /** It failed after its head: the attempt's cause says why, and the body is the part that came. */
    incomplete: z.literal(true).optional(),
    tls: tlsDetails.optional(),
    redirects: z.array(z.object({ url: z.string(), status: z.number().int(), location: z.string().optional() })),
  })
  .openapi("ReceivedResponse");
export type ReceivedResponse = z.infer<typeof receivedResponse>;

/** Why something could not be evaluated. `code` is from a closed set; `detail` is an actionable sentence. */
export const cause = z.object({ code: z.string(), detail: z.string(), phase: z.string().optional() }).openapi("Cause");
export type Cause = z.infer<typeof cause>;

export const traceContext = z
  .object({
    traceId: z.string().openapi({ example: "0198c1f47a3e7c419d553f0a6b2c8e10" }),
    spanId: z.string().openapi({ example: "00f067aa0ba902b7" }),
  })
  .openapi("TraceContext");
export type TraceContext = z.infer<typeof traceContext>;

export const attempt = z
  .object({
    number: z.number().int(),
    startedAt: moment,
    durationMilliseconds: z.number(),
    request: sentRequest.nullable(),
    response: receivedResponse.nullable(),
    phases: phases.nullable(),
    verdict: executionVerdict,
    cause: cause.optional(),
    trace: traceContext
      .optional()
      .describe("As sent in `traceparent`; absent where none was sent. All executions of a run share its trace."),
  })
  .openapi("Attempt");
export type Attempt = z.infer<typeof attempt>;
