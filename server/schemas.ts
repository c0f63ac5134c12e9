import { z } from "zod";
import { codeFile } from "#contracts/code/files.ts";
import type { Root } from "./http.ts";

/** The JSON Schema of files of assurance as code, as it is now; with the portal's version in its folder, as it stays. */
export const codeSchemaPath = "/schemas/assurance.json";

/** JSON Schema 2020-12, without references. */
export function createCodeSchema(): object {
  const schema = z.toJSONSchema(codeFile, { target: "draft-2020-12", io: "input", unrepresentable: "any" });
  return { ...schema, title: "Assurance as code" };
}

/** Editors read it, on any site and without a token: it is the same for all organizations. */
export function serveSchemas(root: Root, version: string): void {
  let text: string | undefined;
  for (const path of [codeSchemaPath, `/schemas/${version}/assurance.json`])
    root.get(path, (c) => {
      text ??= `${JSON.stringify(createCodeSchema(), null, 2)}\n`;
      return c.body(text, 200, {
        "content-type": "application/schema+json",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "public, max-age=300",
      });
    });
}
