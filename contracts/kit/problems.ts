import { z } from "@hono/zod-openapi";
import type { Endpoint } from "./endpoint.ts";
import { type ProblemCode, problemStatuses } from "./problem.ts";
import { listResourceFilters } from "./resource-filters.ts";

const codes = Object.keys(problemStatuses) as [ProblemCode, ...ProblemCode[]];

/** RFC 9457; programs switch over `code`. */
export const problemSchema = z
  .object({
    type: z.literal("about:blank").describe("Constant: `code` distinguishes problems"),
    title: z.string().describe("The kind of problem, the same for every problem with its code"),
    status: z.int().describe("Status of the response"),
    code: z.enum(codes).describe("The kind of problem, from a closed set"),
    detail: z.string().describe("What went wrong and what to do, in a sentence or two"),
    requestId: z.string().optional().describe("Identifies the request in the logs: the header `X-Request-Id`"),
    errors: z
      .array(
        z.object({
          path: z.string().describe("Path in the body, or name of the parameter, e.g. `assertions[0].target`"),
          message: z.string().describe("What is wrong with the value"),
        }),
      )
      .optional()
      .describe("Each value that needs correction"),
    service: z.string().optional().describe("With 503: the service that did not respond"),
    challenge: z.string().optional().describe("With `second_factor_required`: continues the sign-in"),
    limit: z.number().optional().describe("With 402: the plan's limit"),
    used: z.number().optional().describe("With 402: current usage"),
  })
  .openapi("Problem");

type Declared = Pick<Endpoint, "access" | "method" | "path" | "params" | "query" | "body" | "problems">;

/** The problems an endpoint may return: those that follow from its declaration, and those it names. */
export function listProblemCodes({ access, method, path, params, query, body, problems }: Declared): ProblemCode[] {
  const possible = new Set<ProblemCode>(Object.keys(problems ?? {}) as ProblemCode[]);
  const add = (when: boolean, ...more: ProblemCode[]) => {
    if (when) for (const code of more) possible.add(code);
  };
  add(access !== "public", "unauthenticated");
  add(access !== "public" && access !== "own-account", "forbidden");
  add(Boolean(params ?? query ?? body), "malformed_request");
  add(path.includes("{") || listResourceFilters({ query }).length > 0, "not_found");
  add(Boolean(body), "payload_too_large", "unsupported_media_type", "invalid_input");
  add(method !== "get", "insufficient_storage");
  add(true, "internal_error", "service_unavailable");
  return [...possible].sort((one, other) => problemStatuses[one] - problemStatuses[other]);
}
