import type { ApiServer, SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { Changes } from "./changes.ts";
import type { Role } from "./roles.ts";
import type { SchemaComparer } from "./schema-comparer.ts";

/** What two versions of a document say beside their operations. */
export interface DocumentSide {
  servers: readonly ApiServer[];
  securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

/** The comparison of one operation. */
export interface OperationContext {
  schemas: SchemaComparer;
  documents: { before: DocumentSide; after: DocumentSide };
  role: Role;
  changes: Changes;
  /** Called where what no client depends on differs. */
  noteTexts(): void;
}
