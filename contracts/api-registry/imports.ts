import { z } from "@hono/zod-openapi";
import { actor } from "../kit/actor.ts";
import { displayName } from "../kit/display-name.ts";
import { endpoint } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { environment } from "./environments.ts";
import { secretVariables } from "./secret-variables.ts";
import { variables } from "./variables.ts";

const internal = { access: "internal" } as const;
const params = z.object({ importId: z.uuid() });
const recordedByTaking = { nothingBecause: "It ends an import that was recorded when it was taken" };

/** An environment without the values of its secret variables. */
export const knownEnvironment = environment.pick({ name: true, baseUrl: true, variables: true }).extend({
  secretNames: z.array(z.string()),
});
export type KnownEnvironment = z.infer<typeof knownEnvironment>;

export const takenEnvironment = environment.pick({ name: true, baseUrl: true, variables: true }).extend({
  secretVariables,
  replaces: knownEnvironment
    .nullable()
    .describe("The environment of this name as it was planned with: another one stays. Null: there was none."),
});
export type TakenEnvironment = z.infer<typeof takenEnvironment>;

/** Calls of test-registry, which imports files of other tools. */
export const takeImport = endpoint({
  ...internal,
  method: "post",
  path: "/internal/v1/imports/{importId}",
  audit: "api",
  summary: "Registers an API for an import, or adds variables and environments to one",
  description:
    "One transaction; repeated for an import, it has no further effect. Variables that the API has stay. What it did can be undone until it is forgotten; what was undone before is refused.",
  params,
  body: z.object({
    apiId: z.uuid(),
    api: orNone(z.object({ name: displayName(z.string().trim().min(1).max(200)), document: z.string() })).describe(
      "A new one.",
    ),
    variables,
    secretVariables,
    environments: z.array(takenEnvironment).max(50),
    actor,
  }),
  maxBodyBytes: 64_000_000,
  timeoutSeconds: 120,
  status: 200,
  response: z.object({ apiName: z.string(), environments: z.array(z.string()).describe("Names of the stored ones.") }),
  problems: {
    plan_limit_reached: "The plan allows no more APIs.",
    conflict: "This import was undone.",
  },
});

export const undoImport = endpoint({
  ...internal,
  method: "post",
  path: "/internal/v1/imports/{importId}/undo",
  audit: "api",
  summary: "Takes back what an import brought, except for what was changed since",
  description: "Idempotent. An import that was not taken yet is refused from then on.",
  params,
  status: 204,
});

export const forgetImport = endpoint({
  ...internal,
  method: "post",
  path: "/internal/v1/imports/{importId}/forget",
  audit: recordedByTaking,
  summary: "Deletes what an import stored to be undone",
  params,
  status: 204,
});
