import { z } from "zod";
import { consumer } from "#contracts/api-registry/resources.ts";

const place = { in: consumer.shape.in, name: z.string({ error: "Enter a name" }).trim().min(1).max(4_000) };

/** "POST /books" */
const operation = z
  .string({ error: "Write an operation, such as POST /books" })
  .trim()
  .regex(/^\S{1,40}\s+\/\S*/, "Write a method and a path, such as POST /books")
  .max(4_100)
  .transform((text) => {
    const [, method = "", path = ""] = /^(\S+)\s+(.+)$/s.exec(text) ?? [];
    return { method, path };
  });

/** The form that says where a value comes from; a body's member is written `book.id`, or as a JSON pointer. */
export const saidDependency = z
  .object({ operation, ...place, resource: z.string().optional() })
  .transform(({ name, resource = "", ...rest }) => ({
    ...rest,
    name: rest.in === "body" && !name.startsWith("/") ? `/${name.replaceAll(".", "/")}` : name,
    resource: resource === "" ? null : resource,
  }));

/** The button of a value: confirms what was found, or forgets what was said. */
export const valueButton = z.object({ operation, ...place, resource: z.string() });
