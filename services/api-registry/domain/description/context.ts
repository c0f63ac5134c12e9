import type { ApiServer } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation, SchemaObject } from "#contracts/api-registry/operations.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { DocumentSet } from "../references/document-set.ts";
import type { Components } from "./components.ts";

/** A sample to be made once all components are known: schemas refer to ones described later. */
export interface SampleWanted {
  holder: { sample?: unknown };
  schema: SchemaObject;
  direction: "request" | "response";
}

/** What describing one operation needs, and what it leaves behind. */
export interface DescriptionContext {
  set: DocumentSet;
  root: JsonRecord;
  components: Components;
  /** Ordinals of the components this operation refers to itself. */
  dependencies: Set<number>;
  samplesWanted: SampleWanted[];
  servers: ApiServer[];
  security: DescribedOperation["security"];
}
