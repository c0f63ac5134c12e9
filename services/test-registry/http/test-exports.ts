import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type ExportFormat, maxExportedTests, type TestExport } from "#contracts/test-registry/test-exports.ts";
import { writeCollection } from "#libraries/collections/write/formats.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type ExportInput, toCollection } from "../domain/export/to-collection.ts";
import { readTests } from "../store/circle-tests.ts";
import type { TestDatabase } from "../store/tables.ts";
import { listTests } from "../store/test-lists.ts";
import { findTest, findTests } from "../store/tests.ts";
import { toVariable } from "./circles.ts";
import { createExportSurroundings } from "./export-surroundings.ts";
import type { RequireApi } from "./require-api.ts";
import { resolveCircle, toOwnedTests } from "./resolved-circles.ts";
import { toTest } from "./tests.ts";

type ExportHandlers = Pick<Handlers<typeof testRegistryContract>, "exportTest" | "exportTests" | "exportCircle">;
type Subject = Omit<ExportInput, "apis" | "credentials"> & { environments: Record<string, string | undefined> };

function refuseMany(path: string): never {
  const message = `At most ${maxExportedTests} tests can be exported together`;
  throw new Problem("invalid_input", message, { errors: [{ path, message }] });
}

/** Creates the handlers that write tests in the formats of other tools. */
export function createExportHandlers(parts: {
  db: TestDatabase;
  requireApi: RequireApi;
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
}): ExportHandlers {
  const { db, requireApi } = parts;
  const surroundings = createExportSurroundings(parts);

  async function write(
    call: { caller: Identity; requestId: string },
    format: ExportFormat,
    { environments, ...subject }: Subject,
  ): Promise<TestExport> {
    const tests = subject.tests.map(({ test }) => test);
    const apis = await surroundings.readApis(call, tests, environments);
    const hosts = [...apis.values()].flatMap(({ baseUrl }) =>
      baseUrl && URL.canParse(baseUrl) ? [new URL(baseUrl).host] : [],
    );
    const credentials = await surroundings.readCredentials(call, hosts, tests);
    const name = subject.name || ([...apis.values()][0]?.name ?? "Tests");
    const { collection, losses } = toCollection({ ...subject, name, apis, credentials });
    const written = writeCollection(format, collection);
    return {
      format,
      name,
      files: written.files,
      losses: [...losses, ...written.losses].map(({ of, what, reason }) => ({ of, what, reason })),
    };
  }

  return {
    async exportTest({ caller, requestId, params, query }) {
      const row = await findTest(db, { organizationId: caller.organizationId, testId: params.testId });
      if (!row) throw notFound("test");
      const test = toTest(row);
      return await write({ caller, requestId }, query.format, {
        ...{ name: test.name, description: "", tests: [{ phase: "main", test }] },
        environments: { [test.apiId]: query.environment },
      });
    },

    async exportTests({ caller, requestId, params: { apiId }, body }) {
      const { organizationId } = caller;
      await requireApi(caller, requestId, apiId);
      const rows = body.testIds
        ? (await findTests(db, organizationId, body.testIds))
            .filter((row) => row.api_id === apiId)
            .sort((one, other) => one.name.localeCompare(other.name, "en"))
        : await listTests(db, { organizationId, apiId, enabled: true }, { sort: "name", limit: maxExportedTests });
      if (rows.length > maxExportedTests) refuseMany("testIds");
      return await write({ caller, requestId }, body.format, {
        ...{ name: "", description: "", environments: { [apiId]: body.environment } },
        tests: rows.map((row) => ({ phase: "main", test: toTest(row) })),
      });
    },

    async exportCircle({ caller, requestId, params, query }) {
      const circle = await resolveCircle(db, caller.organizationId, params.testCircleId);
      const { row, running } = circle;
      if (running.length > maxExportedTests) refuseMany("testCircleId");
      const known = await readTests(db, toOwnedTests(circle));
      const tests = running.flatMap(({ phase, test }) => {
        const whole = known.get(test.id);
        return whole ? [{ phase, test: toTest(whole) }] : [];
      });
      return await write({ caller, requestId }, query.format, {
        ...{ name: row.name, description: row.description, tests, environments: row.environments },
        circle: {
          ...{ order: row.execution_order, stopOnFailure: row.stop_on_failure, cookies: row.keeps_cookies },
          onlyOwn: row.only_own,
          variables: row.variables.map(toVariable),
        },
      });
    },
  };
}
