import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { AgentTask, SealedParts } from "#contracts/test-executioner/agent-work.ts";
import type { AgentKeys } from "#libraries/agent-keys/agent-keys.ts";
import { openSealed } from "#libraries/agent-keys/sealed.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import type { OpenedCredentials } from "#libraries/running/lookups.ts";
import type { RunningParts } from "#libraries/running/run-test.ts";
import type { OpenCapture, TestToRun } from "#libraries/running/test-to-run.ts";
import { wrapPem } from "../../services/security-service/domain/pem.ts";
import { toAuthorizationKey } from "../../services/test-executioner/domain/authorization-key.ts";
import { createDescribeVariable } from "../../services/test-executioner/domain/described-variable.ts";
import {
  type EnvironmentCredential,
  type EnvironmentSecrets,
  findEnvironmentSecret,
  giveSecret,
  readEnvironmentSecret,
} from "../../services/test-executioner/domain/environment-secrets.ts";
import { type Carried, replaceCaptures } from "../run-members.ts";
import { createCheck } from "./checked.ts";
import type { ReadVault } from "./own-vault.ts";
import { taskShapes } from "./task-shapes.ts";

const checkTask = createCheck<AgentTask>("The task", taskShapes.agentTask);
const checkSealed = createCheck<SealedParts>("The secrets", taskShapes.sealedParts);
const checkOperation = createCheck<OperationWithComponents>("The operation", taskShapes.operationWithComponents);

/** Where the agent reads secrets whose values never leave it. */
export interface OwnSecrets extends EnvironmentSecrets {
  readVault: ReadVault;
}

/** What all tasks of an agent share. */
export type SharedParts = Omit<RunningParts, "settings" | "openCredentials" | "findHostRules" | "findFile">;

export interface OpenedTask {
  parts: RunningParts;
  test: TestToRun;
}

/** The rules of a host that the portal did not expect: a redirect to it may read only. */
const unexpected = {
  isVerified: false,
  unsafeMethods: "refused" as const,
  ruledBy: null,
  authorizationConfigs: [],
};

/** @throws Error if it is not for this agent and execution, or too old */
async function unseal({ sealed, executionId }: AgentTask, keys: AgentKeys, now: Date): Promise<SealedParts> {
  const opened = checkSealed(await openSealed(sealed, keys.sealing));
  if (opened.executionId !== executionId) throw new Error("The secrets are of another execution.");
  if (!(Date.parse(opened.expiresAt) >= now.getTime())) throw new Error("The secrets are older than an hour.");
  return opened;
}

/** What the portal sent, as the engine takes it. Nothing of it says where the agent may send to. */
export async function openTask(
  given: unknown,
  operations: Record<string, unknown>,
  shared: SharedParts,
  {
    keys,
    secrets,
    now,
    carried,
  }: {
    keys: AgentKeys;
    secrets: OwnSecrets;
    now: Date;
    /** Where the agent runs a circle without the portal. */
    carried?: Carried;
  },
): Promise<OpenedTask> {
  const task = checkTask(given);
  const opened = await unseal(task, keys, now);
  const read = await readReferences(opened, secrets);
  const rules = new Map(task.hostRules.map(({ host, rules }) => [host, rules]));
  const files = new Map(task.files.map(({ sha256, content }) => [sha256, content]));
  const credentials = new Map(opened.credentials.map((one) => [`${one.host} ${one.authorization}`, one]));
  const settings = limitSettings(task.settings);
  const { onlyOwn } = task;
  return {
    parts: {
      ...shared,
      settings: { current: () => settings },
      findHostRules: async (_, host) => rules.get(host) ?? unexpected,
      async findFile(_, { sha256 }) {
        const content = files.get(sha256);
        return content === undefined ? undefined : Buffer.from(content, "base64");
      },
      async openCredentials(_, host, authorization): Promise<OpenedCredentials> {
        const found = credentials.get(`${host} ${toAuthorizationKey(authorization)}`);
        if (!found) return { items: [], refused: [] };
        const items = found.items as unknown as EnvironmentCredential[];
        return {
          items: await Promise.all(items.map((item) => readOwnSecret(item, secrets))),
          refused: found.refused as unknown as OpenedCredentials["refused"],
        };
      },
    },
    test: {
      ...{ organizationId: task.organizationId, test: task.test, row: task.row, baseUrls: task.baseUrls },
      captures: replaceCaptures([...opened.captures, ...read.captures], carried?.captures ?? []),
      unavailableSecret: read.unavailable,
      cookies: opened.cookies === undefined ? undefined : (carried?.cookies ?? opened.cookies),
      findVariable: (name) => (Object.hasOwn(task.variables, name) ? task.variables[name] : undefined),
      ...{ hasOwnServers: task.hasOwnServers, isConfirmed: task.isConfirmed, traceId: task.traceId },
      mayRequireAuthentication: task.mayRequireAuthentication,
      async findOperation() {
        const operation = task.operation === undefined ? undefined : operations[task.operation];
        return operation === undefined ? undefined : checkOperation(operation);
      },
      onlyOwn: onlyOwn && {
        effect: onlyOwn.effect,
        describeVariable: createDescribeVariable((name) => onlyOwn.ofRun.includes(name)),
      },
    },
  };
}

const noVault = { ok: false, detail: "The agent has no Vault (--vault)." } as const;

async function readOwnSecret(item: EnvironmentCredential, secrets: OwnSecrets): Promise<OpenedCredential> {
  const { vault, ...credential } = item;
  if (!vault) return readEnvironmentSecret(credential, secrets);
  const found = (await secrets.readVault?.(vault)) ?? noVault;
  const isKey = found.ok && credential.type === "mutualTls";
  return giveSecret(credential, isKey ? { ok: true, value: wrapPem(found.value) } : found, vault.key);
}

/** Secret variables, read in the environment of this process or in its Vault. */
async function readReferences({ secretReferences }: SealedParts, secrets: OwnSecrets) {
  const captures: OpenCapture[] = [];
  for (const { name, environmentName, vault } of secretReferences) {
    const found = vault
      ? ((await secrets.readVault?.(vault)) ?? noVault)
      : findEnvironmentSecret(environmentName ?? "", secrets);
    if (!found.ok)
      return { captures: [], unavailable: `The secret variable ${name} could not be read. ${found.detail}` };
    captures.push({ name, value: found.value, isSecret: true });
  }
  return { captures };
}

/** A portal may ask for less than an agent can do, and not for more. */
function limitSettings(settings: AgentTask["settings"]): AgentTask["settings"] {
  const { testTimeoutSeconds, answerKibibytes, judgedMebibytes } = defaultSettings;
  return {
    verifiedDomainsOnly: settings.verifiedDomainsOnly,
    testTimeoutSeconds: Math.min(settings.testTimeoutSeconds, testTimeoutSeconds),
    answerKibibytes: Math.min(settings.answerKibibytes, answerKibibytes),
    judgedMebibytes: Math.min(settings.judgedMebibytes, judgedMebibytes),
  };
}
