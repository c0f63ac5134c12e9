import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";
import { incidentEntry, incidentParameters } from "./incidents.ts";
import { incidentTag as tag } from "./recoveries.ts";

const maxComment = 5_000;

/** Plain text, with the line breaks that its author typed. */
export const incidentCommentInput = z
  .object({
    text: displayName(
      z
        .string()
        .transform((text) => text.replaceAll("\r\n", "\n").trim())
        .pipe(z.string().min(1, "Write a comment").max(maxComment, "At most 5,000 characters")),
    ).openapi({ example: "The supplier's gateway is down. They expect it back at 15:00." }),
  })
  .openapi("IncidentCommentInput");

export const createIncidentComment = endpoint({
  method: "post",
  path: "/api/v1/incidents/{incidentId}/comments",
  access: "tests:write",
  audit: "incident comment",
  tag,
  summary: "Comments on an incident",
  description:
    "Plain text. It appears in the incident's timeline, and nowhere else: neither alerts nor status pages contain it. A resolved incident can be commented on too.",
  headers: [idempotencyKey],
  params: incidentParameters,
  body: incidentCommentInput,
  status: 201,
  response: incidentEntry,
  problems: { conflict: "The `Idempotency-Key` was used for another call, or its comment was deleted." },
});

export const deleteIncidentComment = endpoint({
  method: "delete",
  path: "/api/v1/incidents/{incidentId}/comments/{commentId}",
  access: "tests:write",
  audit: "incident comment",
  tag,
  summary: "Deletes a comment of one's own",
  description: "Comments of other users cannot be deleted.",
  params: z.object({ incidentId: z.uuid(), commentId: z.uuid().describe("Id of its entry in the timeline.") }),
  status: 204,
  problems: { forbidden: "It is another user's comment." },
});
