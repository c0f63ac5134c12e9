import type { Kysely, Transaction } from "kysely";
import type { Test } from "../contract/tests.ts";

export const schemaName = "test_registry";

/** Keys of calls that made a test. */
export const keyTable = { schema: schemaName, column: "test_id" };

/** What is never searched by, in one column. */
export type TestDefinition = Pick<
  Test,
  | "request"
  | "assertions"
  | "checks"
  | "maximumResponseMilliseconds"
  | "captures"
  | "data"
  | "retry"
  | "timeoutMilliseconds"
>;

export interface TestTables {
  tests: {
    id: string;
    organization_id: string;
    api_id: string;
    name: string;
    method: string;
    path: string;
    enabled: boolean;
    tags: string[];
    definition: TestDefinition;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
}

export type TestDatabase = Kysely<TestTables>;
export type TestTransaction = Transaction<TestTables>;
