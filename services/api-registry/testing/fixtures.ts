import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";

const root = join(import.meta.dirname, "../../../tests/fixtures/openapi");

export interface Fixture {
  name: string;
  document: string;
  fileName: string;
  /** Other files of the document by their paths. */
  files: Record<string, string>;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const mainFiles: Record<string, string> = {
  "multifile-learn-petstore-separate-v2": "spec/swagger.yaml",
  "multifile-openapi-starter": "openapi/openapi.yaml",
};

/** Public documents and similar ones; licences are in INDEX.tsv in the same folder. */
export function fixturesIn(kind: "valid" | "invalid"): Fixture[] {
  const folder = join(root, kind);
  return readdirSync(folder)
    .filter((name) => name !== "INDEX.tsv")
    .map((name) => {
      const path = join(folder, name);
      if (!statSync(path).isDirectory()) {
        return { name, document: readFileSync(path, "utf8"), fileName: name, files: {} };
      }
      const fileName = mainFiles[name]!;
      const others = filesBelow(path).filter(
        (file) => relative(path, file) !== fileName && /\.(ya?ml|json)$/.test(file),
      );
      return {
        name,
        document: readFileSync(join(path, fileName), "utf8"),
        fileName,
        files: Object.fromEntries(others.map((file) => [relative(path, file), readFileSync(file, "utf8")])),
      };
    });
}

export function fixture(kind: "valid" | "invalid", name: string): Fixture {
  return fixturesIn(kind).find((one) => one.name === name || basename(one.name).startsWith(name))!;
}

/** A small complete document to vary in tests. */
export function smallDocument(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: { title: "Small", version: "1" },
    servers: [{ url: "https://api.example.com/v1" }],
    paths: {
      "/pets/{petId}": {
        get: {
          operationId: "getPet",
          tags: ["pets"],
          parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            "200": {
              description: "A pet",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: { type: "object", properties: { name: { type: "string" }, friend: { $ref: "#/components/schemas/Pet" } } },
      },
    },
    ...change,
  };
}

/** To a schema of the document itself. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A document with one operation, which sends and returns this schema. */
export function createDocument(schema: unknown, schemas: Record<string, unknown> = {}): string {
  const content = { "application/json": { schema } };
  const post = { requestBody: { content }, responses: { "200": { description: "ok", content } } };
  return JSON.stringify({ ...smallDocument(), paths: { "/a": { post } }, components: { schemas } });
}
