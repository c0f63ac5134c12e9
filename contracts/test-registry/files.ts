import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";

/** Of one file. */
export const maximumFileBytes = 10 * 1_048_576;

/** Of all files of an organization. */
export const maximumStoredBytes = 200 * 1_048_576;

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "Choose a file")
  .describe("In hex.")
  .openapi({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

/** A file that a request sends. Its bytes are stored apart, once for each organization, by their hash. */
export const storedFile = z
  .object({
    sha256,
    name: z.string().trim().min(1, "Name the file").max(300),
    size: z.number().int().min(0).max(maximumFileBytes).describe("Bytes."),
  })
  .openapi("StoredFile");
export type StoredFile = z.infer<typeof storedFile>;

const tag: Tag = { name: "Files", description: "Bytes that requests of tests send, such as an image to upload." };

const bytes = z.string().openapi({ format: "binary" });

export const storeFile = endpoint({
  method: "post",
  path: "/api/v1/files",
  access: "tests:write",
  audit: "file",
  tag,
  summary: "Stores a file for tests to send",
  description:
    "The body is the file's bytes, at most 10 MiB; an organization stores at most 200 MiB. The same bytes are stored once, however often they are sent. A file that no test refers to is deleted after a day.",
  otherBodies: { "application/octet-stream": bytes },
  timeoutSeconds: 60,
  status: 200,
  response: z.object({ sha256, size: z.number().int() }),
  problems: {
    payload_too_large: "The file is larger than 10 MiB.",
    invalid_input: "The organization's files would take more than 200 MiB.",
  },
});

export const getFile = endpoint({
  method: "get",
  path: "/api/v1/files/{sha256}",
  access: "tests:read",
  tag,
  summary: "The bytes of a stored file",
  description: "Unchanged, for saving and never for display: they are not checked.",
  params: z.object({ sha256 }),
  timeoutSeconds: 60,
  status: 200,
  otherResponses: { "application/octet-stream": { description: "The file.", example: "\u0000\u0001" } },
});
