import type { ApiServer } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation, SchemaObject } from "#contracts/api-registry/operations.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { DocumentSet } from "../references/document-set.ts";
import type { Components } from "./components.ts";

/** A sample that is generated once all components are known, because schemas may reference later ones. */
export interface PendingSample {
  holder: { sample?: unknown; sampleJson?: string };
  schema: SchemaObject;
  direction: "request" | "response";
}

/** Input and collected output of describing one operation. */
export interface DescriptionContext {
  set: DocumentSet;
  root: JsonRecord;
  components: Components;
  /** Ordinals of the components this operation references directly. */
  dependencies: Set<number>;
  pendingSamples: PendingSample[];
  servers: ApiServer[];
  security: DescribedOperation["security"];
}
