import type { Scope } from "#contracts/kit/endpoint.ts";
import { circleAddress } from "~/features/circles/circle-addresses";
import { executionAddress } from "~/features/runs/execution-address";
import { runAddress } from "~/features/runs/run-address";
import { getStatus } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import type { CallResult } from "../../../services/kit/client/client.ts";
import type { Hit } from "./found";

const wholeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isWholeId = (query: string): boolean => wholeId.test(query);

/** Resources with this id. Kinds that the viewer may not read are skipped. */
export async function findById({ backend, may }: Viewer, id: string): Promise<Hit[]> {
  const { apiRegistry, testRegistry, testExecutioner, testAnalyzer, securityService } = backend;
  const found = <Value>(
    scope: Scope,
    call: () => Promise<CallResult<Value>>,
    toHit: (value: Value) => Hit | undefined,
  ): (() => Promise<Hit | undefined>) => {
    return async () => {
      if (!may(scope)) return undefined;
      const result = await call();
      return result.ok ? toHit(result.value) : undefined;
    };
  };
  const hits = await Promise.all(
    [
      found(
        "apis:read",
        () => apiRegistry.summarizeApi({ params: { apiId: id } }),
        ({ name }) => ({ href: href("/api-management/:apiId/details", { apiId: id }), name, what: "API" }),
      ),
      found(
        "tests:read",
        () => testRegistry.getTest({ params: { testId: id } }),
        ({ apiId, name }) => ({
          ...{ name, what: "Test" },
          href: href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id }),
        }),
      ),
      found(
        "tests:read",
        () => testRegistry.getCircle({ params: { testCircleId: id } }),
        (circle) => ({ href: circleAddress(circle), name: circle.name, what: "Circle" }),
      ),
      found(
        "tests:read",
        () => testRegistry.getSchedule({ params: { scheduleId: id } }),
        ({ apiIds, name, testCircleId, testCircleName }) => ({
          href: circleAddress({ id: testCircleId, apiIds }),
          name: name ?? testCircleName,
          what: "Schedule",
        }),
      ),
      found(
        "tests:read",
        () => testExecutioner.getRun({ params: { runId: id }, query: { limit: 1 } }),
        (run) => {
          const apiId = run.apis[0]?.apiId ?? (run.source.kind === "api" ? run.source.apiId : undefined);
          if (!apiId) return undefined;
          const where = run.apis.map(({ apiName }) => apiName).join(", ");
          return { href: runAddress(apiId, run), name: "Run", what: id, where, status: getStatus(run) };
        },
      ),
      found(
        "tests:read",
        () => testExecutioner.getExecution({ params: { executionId: id } }),
        (execution) => ({
          href: executionAddress({ ...execution, executionId: id }),
          name: execution.testName,
          what: "Execution",
          status: getStatus(execution),
        }),
      ),
      found(
        "tests:read",
        () => testExecutioner.getExploration({ params: { explorationId: id } }),
        ({ apiId }) => ({
          href: href("/test-management/:apiId/explorations/:explorationId", { apiId, explorationId: id }),
          ...{ name: "Exploration", what: id },
        }),
      ),
      found(
        "tests:read",
        () => testAnalyzer.getIncident({ params: { incidentId: id } }),
        ({ title }) => ({
          href: href("/test-management/incidents/:incidentId", { incidentId: id }),
          ...{ name: title, what: "Incident" },
        }),
      ),
      found(
        "users:manage",
        () => securityService.getUser({ params: { userId: id } }),
        ({ fullName }) => ({
          href: href("/administration/user-management/users/:userId/edit", { userId: id }),
          ...{ name: fullName, what: "User" },
        }),
      ),
    ].map((find) => find()),
  );
  return hits.filter((hit) => hit !== undefined);
}
