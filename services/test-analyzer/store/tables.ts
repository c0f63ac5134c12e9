import type { Kysely } from "kysely";
import type { Verdict } from "../../test-executioner/contract/executions.ts";
import type { Verification } from "../contract/verifications.ts";

export const schemaName = "test_analyzer";

export interface AnalyzerTables {
  recorded_executions: {
    execution_id: string;
    organization_id: string;
    test_id: string;
    test_name: string;
    api_id: string;
    method: string;
    path: string;
    verdict: Verdict;
    status_code: number | null;
    response_milliseconds: number | null;
    finished_at: Date;
    verifications: Verification[];
  };
}

export type AnalyzerDatabase = Kysely<AnalyzerTables>;
