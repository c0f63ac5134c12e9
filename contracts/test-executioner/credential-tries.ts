import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { attempt } from "./attempts.ts";

export const tryCredential = endpoint({
  method: "post",
  path: "/api/v1/credential-tries",
  timeoutSeconds: 60,
  access: "credentials:manage",
  audit: { nothingBecause: "Nothing is stored" },
  tag: { name: "Requests", description: "Single requests from the viewer and the editor." },
  summary: "Tests a credential",
  description:
    "Sends one GET with this credential to a URL of its domain without following redirects. Nothing is stored; secrets are replaced in the response.",
  body: z.object({
    credentialId: z.uuid(),
    url: z.string().trim().max(4_000).openapi({ example: "https://api.example.com/me" }),
  }),
  status: 200,
  response: attempt.omit({ verdict: true }),
  problems: { not_found: "No such credential." },
});
