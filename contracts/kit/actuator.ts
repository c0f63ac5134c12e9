import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "./endpoint.ts";

const tag: Tag = { name: "Actuator", description: "Health of the service." };
const healthStatus = z.enum(["UP", "DOWN"]);

/** Calls that the specification requires of every service. */
export const actuatorContract = {
  getHealth: endpoint({
    method: "get",
    path: "/actuator/health",
    access: "public",
    tag,
    summary: "Health of the service",
    description:
      "503 while a dependency is unavailable without which the service can do nothing. Checked at most once a second.",
    status: 200,
    otherStatuses: [503],
    response: z
      .object({
        status: healthStatus,
        components: z
          .record(
            z.string(),
            z.object({ status: healthStatus, required: z.boolean().describe("Without it the service is down") }),
          )
          .describe("Dependencies by name")
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
    description: "Identifies the running service.",
    status: 200,
    response: z
      .object({
        name: z.string().openapi({ example: "test-registry" }),
        version: z.string().openapi({ example: "1.0.0" }),
      })
      .openapi("Info"),
  }),
};
