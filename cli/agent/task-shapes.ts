import { z } from "zod";
import { operationWithComponents } from "#contracts/api-registry/operations.ts";
import { agentTask, sealedParts } from "#contracts/test-executioner/agent-work.ts";

/** As JSON Schema, by which an agent checks it. Words for readers are left out. */
function toShape(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: "input",
    reused: "ref",
    unrepresentable: "any",
    override({ jsonSchema }) {
      for (const name of ["description", "example", "examples", "title"] as const) delete jsonSchema[name];
    },
  }) as Record<string, unknown>;
}

/** What a portal sends to agents. The command line is built with the result: it has neither contracts nor zod. */
export const taskShapes = {
  agentTask: toShape(agentTask),
  sealedParts: toShape(sealedParts),
  operationWithComponents: toShape(operationWithComponents),
};
