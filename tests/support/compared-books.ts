import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runAssurance } from "./command-line.ts";

/** A document, and what becomes of it. */
export const before = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      parameters:
        - { name: q, in: query, schema: { type: string, maxLength: 20 } }
      responses:
        "200":
          description: Books
          content:
            application/json:
              schema: { type: object, required: [title], properties: { title: { type: string } } }
    delete:
      responses: { "204": { description: Gone } }
  /authors:
    get:
      responses: { "200": { description: Authors } }
`;
export const shorter = before.replace("maxLength: 20", "maxLength: 10");
export const untitled = before.replace("required: [title], properties: { title: { type: string } }", "properties: {}");
export const withoutDelete = before.replace(/ {4}delete:\n.*\n/, "");
export const withPages = before.replace("title: { type: string }", "title: { type: string }, pages: { type: integer }");

/** Changes that were accepted, as people write them. */
export const written = `# Decided in the team's weekly.

accepted:
    # The mobile app never deletes.
    -   rule: operation.removed
        operation: delete /books   # in any case
        reason:   "No client deletes"
        until: 2999-01-31

# The end.
`;

/** An empty repository with `before.yaml`, in which documents are compared. */
export function openRepository() {
  const folder = mkdtempSync(join(tmpdir(), "assurance-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const diff = (given: string[], environment: Record<string, string> = {}) =>
    runAssurance(["diff", ...given], { environment, cwd: folder });
  write("before.yaml", before);
  return {
    folder,
    write,
    diff,
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    compare(after: string, ...more: string[]) {
      write("after.yaml", after);
      return diff(["before.yaml", "after.yaml", ...more]);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
