import { isRecord, toRecord } from "#libraries/json/json-value.ts";

/**
 * One document of several: paths have the service's base path in front, names of operations and components its name.
 * @param documents by name of the service, each with one server below `/api/`
 */
export function joinDocuments(documents: Record<string, string>): string {
  const joined = {
    openapi: "3.1.0",
    info: { title: "API Assurance", version: "1" },
    security: [] as unknown[],
    paths: {} as Record<string, unknown>,
    components: {} as Record<string, Record<string, unknown>>,
  };
  for (const [service, text] of Object.entries(documents)) {
    const prefix = service.replaceAll("-", "_");
    const named = text
      .replace(/"#\/components\/(?!securitySchemes)(\w+)\/([^"]+)"/g, `"#/components/$1/${prefix}_$2"`)
      .replace(/"operationId":\s*"([^"]+)"/g, `"operationId":"${prefix}_$1"`);
    const { paths, components } = JSON.parse(named) as Record<string, unknown>;
    for (const [path, item] of Object.entries(toRecord(paths))) joined.paths[`/api/${service}${path}`] = item;
    for (const [kind, group] of Object.entries(toRecord(components))) {
      const all = joined.components[kind] ?? {};
      joined.components[kind] = all;
      for (const [name, component] of Object.entries(isRecord(group) ? group : {})) {
        all[kind === "securitySchemes" ? name : `${prefix}_${name}`] = component;
      }
    }
  }
  return JSON.stringify(joined);
}
