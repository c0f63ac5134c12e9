import type { RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import type { CircleInspection, CircleToInspect } from "#contracts/test-registry/circle-inspection.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { findWholeName } from "#libraries/running/found-values.ts";
import { generatesUuid } from "#libraries/running/generated-once.ts";
import {
  type ChangedResource,
  findChangedResource,
  listIdentifyingNames,
} from "#libraries/running/only-own/changed-resource.ts";
import { canMake } from "#libraries/running/only-own/made.ts";
import { listNamesInRows, listPlaceholders } from "#libraries/template/placeholders.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type CapturingMember, traceCaptures } from "../domain/capture-flow.ts";
import { resolveMembers } from "../domain/circle-members.ts";
import { type ChangingMember, explainNotSent } from "../domain/only-own.ts";
import { listReferencedNames } from "../domain/referenced-names.ts";
import { type CircleTest, listTestsOfMembers, readTests } from "../store/circle-tests.ts";
import { findCircle } from "../store/circles.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { TestRow } from "../store/tests.ts";
import type { CircleReferences } from "./circle-references.ts";
import type { CircleVariables } from "./circle-variables.ts";

/** Definitions may be large; after each batch only the names are retained. */
const definitionsAtOnce = 200;

type OfTest = Omit<CapturingMember, "phase"> &
  Pick<ChangingMember, "changed" | "chooses" | "follows"> & { executions: number };

/** Creates the handler that inspects an unsaved circle. */
export function createInspectionHandlers({
  db,
  places,
  variables: circleVariables,
}: {
  db: TestDatabase;
  places: CircleReferences;
  variables: CircleVariables;
}): Pick<Handlers<typeof testRegistryContract>, "inspectCircle"> {
  async function readNames(
    organizationId: string,
    testIds: string[],
    getSurroundings: (apiId: string) => Surroundings,
  ): Promise<Map<string, OfTest>> {
    const found = new Map<string, OfTest>();
    const ids = [...new Set(testIds)];
    for (let from = 0; from < ids.length; from += definitionsAtOnce) {
      const next = ids.slice(from, from + definitionsAtOnce);
      const rows = await readTests(
        db,
        next.map((id) => ({ organizationId, id })),
      );
      for (const [id, row] of rows) found.set(id, getNames(row, getSurroundings(row.api_id)));
    }
    return found;
  }

  /** Those with a UUID that each run generates. Secret ones without a value have the saved circle's. */
  async function findUnique(
    organizationId: string,
    { testCircleId, variables = [] }: Pick<CircleToInspect, "testCircleId" | "variables">,
  ): Promise<Set<string>> {
    const unsaid = variables.filter(({ value }) => value === undefined).map(({ name }) => name);
    const saved =
      testCircleId && unsaid.length > 0 ? await findCircle(db, { organizationId, testCircleId }) : undefined;
    const retained = saved?.variables.some(({ secret }) => secret) ? circleVariables.open(saved) : [];
    return new Set([
      ...variables.flatMap(({ name, value }) => (generatesUuid(value ?? "") ? [name] : [])),
      ...retained.flatMap(({ name, value, secret }) =>
        secret && unsaid.includes(name) && generatesUuid(value) ? [name] : [],
      ),
    ]);
  }

  return {
    async inspectCircle({ caller: { organizationId }, body, requestId }): Promise<CircleInspection> {
      const { members, order, onlyOwn = false, environments = {}, variables = [] } = body;
      const tests = await listTestsOfMembers(db, [{ organizationId, members }]);
      const selected = members.flatMap((member) => (member.kind === "selection" ? [member.apiId] : []));
      const apis = await places.findApis({ organizationId, requestId }, [
        ...tests.map(({ apiId }) => apiId),
        ...selected,
      ]);
      const { running, notRun, absent } = resolveMembers(members, tests);
      const names = await readNames(
        organizationId,
        running.map(({ test }) => test.id),
        (apiId) => getSurroundings(apis.get(apiId), environments[apiId]),
      );
      // A test deleted after resolving is omitted.
      const known = running.flatMap((location) => {
        const ofTest = names.get(location.test.id);
        return ofTest ? [{ ...location, ofTest }] : [];
      });
      const { uses, missing } = traceCaptures(
        order,
        known.map(({ phase, ofTest }) => ({ phase, ...ofTest })),
        new Set(variables.map(({ name }) => name)),
      );
      const notSent = onlyOwn
        ? explainNotSent(
            order,
            known.map(({ phase, test, effect, ofTest: { changed, chooses, follows } }, index) => ({
              ...{ phase, test, effect, changed, chooses, follows, uses: uses[index]! },
            })),
            await findUnique(organizationId, body),
          )
        : [];
      const missingApis = members.flatMap((member, index) =>
        member.kind === "selection" && !apis.has(member.apiId) ? [index] : [],
      );
      return {
        members: known.map(({ phase, memberIndex, test, effect, ofTest }, index) => ({
          position: index + 1,
          phase,
          ...toInspected(memberIndex, test),
          executions: ofTest.executions,
          gives: ofTest.gives,
          uses: uses[index]!,
          ...(effect ? { effect } : {}),
          notSent: notSent[index] ?? null,
        })),
        notRun: notRun.map(({ memberIndex, test, reason }) => ({ ...toInspected(memberIndex, test), reason })),
        absent: [...absent, ...missingApis].sort((one, other) => one - other),
        missing,
      };
    },
  };
}

const nothing: ChangedResource = { noun: "", groups: [] };

interface Surroundings {
  baseUrl: string | null;
  variables: ReadonlySet<string>;
}

function getSurroundings(known: RunnableApi | undefined, environmentName: string | undefined): Surroundings {
  const environment = known?.environments.find(({ name }) => name === environmentName);
  return {
    baseUrl: environment?.baseUrl ?? known?.api.effectiveBaseUrl ?? null,
    variables: new Set([
      ...Object.keys({ ...known?.variables, ...environment?.variables }),
      ...[...(known?.secretVariables ?? []), ...(environment?.secretVariables ?? [])].map(({ name }) => name),
    ]),
  };
}

function getNames({ definition, method, path }: TestRow, { baseUrl, variables }: Surroundings): OfTest {
  const { captures, data = [] } = definition;
  const rows = new Set(data.flatMap((row) => Object.keys(row)));
  const asks = listReferencedNames(definition, baseUrl);
  const values = new Map(asks.map((name) => [name, data.flatMap((row) => row[name] ?? [])]));
  const ofRows = [...values.values()].flat().flatMap(listPlaceholders);
  return {
    gives: captures.flatMap(({ name }) => listNamesInRows(name, data.length)),
    asks: [...new Set([...asks, ...ofRows])],
    rows,
    beyondRows: new Set(ofRows),
    follows: new Map([...values].map(([name, texts]) => [name, texts.map(findWholeName)])),
    environment: variables,
    executions: Math.max(1, data.length),
    changed: isSafe(method) ? nothing : findChangedResource({ method, path, request: definition.request }),
    chooses: canMake(method) ? listIdentifyingNames({ path, request: definition.request }) : [],
  };
}

function toInspected(memberIndex: number, { id: testId, apiId, name, method, path }: CircleTest) {
  return { memberIndex, testId, apiId, name, method, path };
}
