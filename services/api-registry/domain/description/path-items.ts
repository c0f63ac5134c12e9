import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { isRecord, type JsonRecord, toRecord } from "#libraries/json/json-value.ts";

const common = ["get", "put", "post", "delete", "options", "head", "patch"];
const methodsByVersion: Record<SpecificationVersion, readonly string[]> = {
  "2.0": common,
  "3.0": [...common, "trace"],
  "3.1": [...common, "trace"],
  "3.2": [...common, "trace", "query"],
};

export function fixedMethods(version: SpecificationVersion): readonly string[] {
  return methodsByVersion[version];
}

export interface FoundOperation {
  method: string;
  value: JsonRecord;
  /** Relative to the path item. */
  pointer: string;
}

/** Operations of a path item in document order; 3.2's additional ones last, unless they repeat a fixed method. */
export function operationsOfPathItem(item: JsonRecord, version: SpecificationVersion): FoundOperation[] {
  const fixed = methodsByVersion[version];
  const found: FoundOperation[] = [];
  for (const key of Object.keys(item)) {
    const value = item[key];
    if (fixed.includes(key) && isRecord(value)) found.push({ method: key, value, pointer: `/${key}` });
  }
  if (version !== "3.2") return found;
  for (const [method, value] of Object.entries(toRecord(item.additionalOperations))) {
    if (isRecord(value) && method.length <= 40 && method !== "" && !fixed.includes(method.toLowerCase())) {
      found.push({ method, value, pointer: `/additionalOperations/${method}` });
    }
  }
  return found;
}
