import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { codePartContract, PartChanges, PartObject } from "#contracts/code/parts.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { CallResult, Client, Connect } from "../../kit/client/client.ts";
import type { CodePart } from "../../kit/code/code-part.ts";
import type { ExportQuery } from "../../kit/code/part-reading.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { PartName } from "../store/code-applications.ts";

export interface OfOrganization {
  organizationId: string;
  requestId: string;
}

/** A service that owns objects, here or elsewhere. */
export interface PartDoor {
  exportObjects(of: OfOrganization, query: ExportQuery): Promise<{ items: PartObject[]; isLast: boolean }>;
  change(of: OfOrganization, changes: PartChanges): ReturnType<CodePart["change"]>;
  undo(of: OfOrganization, applicationId: string): Promise<void>;
  forget(of: OfOrganization, applicationId: string): Promise<void>;
  findManaged: CodePart["findManaged"];
}

export type PartDoors = Record<PartName, PartDoor>;

/** @throws Problem of the service as it is */
function requireResult<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  const { code, detail, errors, service, limit, used } = result.problem;
  throw new Problem(code, detail, { errors, service, limit, used, retryAfterSeconds: result.retryAfterSeconds });
}

type ConnectPart = (caller: { token: string; requestId: string }) => Client<typeof codePartContract>;

function openDoor(connect: ConnectPart, serviceToken: IssueServiceToken): PartDoor {
  const open = async ({ organizationId, requestId }: OfOrganization) =>
    connect({ token: await serviceToken(organizationId), requestId });
  return {
    exportObjects: async (of, body) => requireResult(await (await open(of)).exportCodeObjects({ body })),
    change: async (of, body) => requireResult(await (await open(of)).changeCodeObjects({ body })),
    async undo(of, applicationId) {
      requireResult(await (await open(of)).undoCodeChanges({ params: { applicationId } }));
    },
    findManaged: async (of, params) => requireResult(await (await open(of)).findManagedObject({ params })),
    async forget(of, applicationId) {
      requireResult(await (await open(of)).forgetCodeChanges({ params: { applicationId } }));
    },
  };
}

/** The parts of files: this service's own, and those of the other two. */
export function openPartDoors(parts: {
  own: CodePart;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  serviceToken: IssueServiceToken;
}): PartDoors {
  return {
    "api-registry": openDoor(parts.apiRegistry, parts.serviceToken),
    "test-registry": parts.own,
    "test-analyzer": openDoor(parts.testAnalyzer, parts.serviceToken),
  };
}
