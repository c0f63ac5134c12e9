import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";

const tag: Tag = {
  name: "Tracing",
  description:
    "[W3C Trace Context](https://www.w3.org/TR/trace-context/) in the requests of tests, and the way to the organization's tracer.",
};

export const traceIdPlaceholder = "{traceId}";

/** A template of links; `{spanId}` may be in it, too. */
const linkTemplate = z
  .string()
  .trim()
  .max(1_000, "Use at most 1,000 characters")
  .refine((text) => {
    if (text === "") return true;
    const filled = text.replaceAll(/\{(traceId|spanId)\}/g, "0");
    if (!URL.canParse(filled)) return false;
    const url = new URL(filled);
    return /^https?:$/.test(url.protocol) && !url.username && !url.password;
  }, "Write an address that begins with https:// or http://")
  .refine((text) => text === "" || text.includes(traceIdPlaceholder), "Write {traceId} where the trace's id belongs")
  .refine(
    (text) => !/[{}]/.test(text.replaceAll(/\{(traceId|spanId)\}/g, "")),
    "Only {traceId} and {spanId} are replaced",
  )
  .describe("Address of a trace in the organization's tracer, with `{traceId}` and maybe `{spanId}`; empty: no links.")
  .openapi({ example: "https://tracer.example.com/trace/{traceId}" });

const settings = {
  verifiedDomains: z.boolean().describe("Whether requests to verified domains have the header `traceparent`."),
  hosts: z
    .array(z.string().trim().toLowerCase().min(1).max(300))
    .max(50, "At most 50 hosts")
    .describe("Other hosts whose requests have it, as domains are written: `*.` covers all subdomains.")
    .openapi({ example: ["staging.example.com", "*.internal.example.com:8443"] }),
  linkTemplate,
};

export const tracingInput = z.object(settings).openapi("TracingInput");
export type TracingInput = z.infer<typeof tracingInput>;

export const tracing = z
  .object({ ...settings, updatedAt: moment.nullable().describe("Null while the defaults apply.") })
  .openapi("Tracing");
export type Tracing = z.infer<typeof tracing>;

const path = "/api/v1/current-organization/tracing";

export const getTracing = endpoint({
  method: "get",
  path,
  access: "signed-in",
  tag,
  summary: "Where tests send a trace context",
  description: "By default to verified domains only. A test's own `traceparent` header is always sent as it is.",
  status: 200,
  response: tracing,
});

export const setTracing = endpoint({
  method: "put",
  path,
  access: "domains:manage",
  audit: "tracing",
  tag,
  summary: "Sets where tests send a trace context",
  description: "Effective for requests sent from then on, within a second.",
  body: tracingInput,
  status: 200,
  response: tracing,
});
