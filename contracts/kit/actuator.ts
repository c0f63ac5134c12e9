import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "./endpoint.ts";

const tag: Tag = { name: "Actuator", description: "How the service stands." };
const standing = z.enum(["UP", "DOWN"]);

/** The calls of the specification that every service answers. */
export const actuatorContract = {
  getHealth: endpoint({
    method: "get",
    path: "/actuator/health",
    access: "public",
    tag,
    summary: "Whether the service can do its work",
    description: "503 while something is away without which it can do nothing. Found out at most once a second.",
    status: 200,
    otherStatuses: [503],
    answer: z
      .object({
        status: standing,
        components: z
          .record(
            z.string(),
            z.object({ status: standing, required: z.boolean().describe("Without it the service is down") }),
          )
          .describe("What it depends on, by name")
          .openapi({ example: { database: { status: "UP", required: true } } }),
      })
      .openapi("Health"),
  }),
  getInfo: endpoint({
    method: "get",
    path: "/actuator/info",
    access: "public",
    tag,
    summary: "Name and version",
    description: "What answers here.",
    status: 200,
    answer: z
      .object({
        name: z.string().openapi({ example: "test-registry" }),
        version: z.string().openapi({ example: "1.0.0" }),
      })
      .openapi("Info"),
  }),
};
