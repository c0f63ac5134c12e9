import type { Kysely, Transaction } from "kysely";

export const schemaName = "test_registry";

/** Keys of calls that made a test. */
export const keyTable = { schema: schemaName, column: "test_id" };

export interface TestTables {
  tests: {
    id: string;
    organization_id: string;
    api_id: string;
    name: string;
    method: string;
    path: string;
    enabled: boolean;
    /** JSON; read with the definition. */
    tags: unknown;
    /** JSON; read by `parseDefinition`. */
    definition: unknown;
    definition_version: number;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
}

export type TestDatabase = Kysely<TestTables>;
export type TestTransaction = Transaction<TestTables>;
