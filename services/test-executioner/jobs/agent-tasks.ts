import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import { sealedSeconds } from "#contracts/test-executioner/agent-limits.ts";
import type { AgentTask, SealedParts } from "#contracts/test-executioner/agent-work.ts";
import { seal } from "#libraries/agent-keys/sealed.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import type { OpenCredentials } from "#libraries/running/lookups.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { TestToRun } from "#libraries/running/test-to-run.ts";
import { toAuthorizationKey } from "../domain/authorization-key.ts";
import type { EnvironmentCredential } from "../domain/environment-secrets.ts";
import type { ExecutionResult } from "../store/results.ts";
import { concludeExecution, type ResolvingParts, resolveTest } from "./execution-run.ts";
import type { SecretVariableLookup } from "./secret-variables.ts";
import type { ExecutionTask } from "./snapshots.ts";

export interface HandingParts extends RunningParts, ResolvingParts {
  /** Leaves secrets of the environment to the agent, as `openForAgent` does. */
  openCredentials: OpenCredentials;
  /** Leaves those of Vault to it, too. */
  openForVaults: OpenCredentials;
}

/** An execution for an agent, or its result if there is nothing to send. */
export type Handed = { task: AgentTask; operation: OperationWithComponents | undefined } | { result: ExecutionResult };

/** Thrown where the portal would send the request. */
class Prepared extends Error {}

/** Stands for a secret that only the agent can read, where the request is built to find out what it needs. */
const stillUnread = "unread";

/** For the lookup of credentials: the agent reads these in its own environment or Vault. */
export function openForAgent(item: EnvironmentCredential): OpenedCredential {
  const isLeft = item.environmentName !== undefined || item.vault !== undefined;
  return isLeft ? { ...item, secret: stillUnread } : item;
}

/** How a task is handed over that is not run at once. */
export interface HandingOptions {
  /** How long its secrets are of use. */
  seconds?: number;
  /**
   * Names of what members before it will have captured, or the run generated: the agent knows their values then, and
   * whether the test would change what the run did not make.
   */
  expected?: readonly string[];
  /** Whether the agent reads Vault itself. */
  readsVault?: boolean;
}

/**
 * Builds the request as a worker would, up to where it would be sent: what was looked up for that is what the agent
 * needs, and what can't be sent ends here, where its explanation is.
 */
export async function handOver(
  parts: HandingParts,
  task: ExecutionTask,
  sealingKey: string,
  { seconds = sealedSeconds, expected, readsVault = false }: HandingOptions = {},
): Promise<Handed> {
  const looked = createRecording(parts, readsVault);
  const known = await resolveTest({ ...parts, readSecretVariables: looked.readSecretVariables }, task);
  const awaited = (expected ?? []).map((name) => ({ name, value: stillUnread, isSecret: true }));
  const resolved = { ...known, captures: [...known.captures, ...awaited] };
  const variables: Record<string, string> = {};
  let operation: OperationWithComponents | undefined;
  const recorded: TestToRun = {
    ...resolved,
    onlyOwn: expected ? undefined : resolved.onlyOwn,
    findVariable(name) {
      const value = resolved.findVariable(name);
      if (value !== undefined) variables[name] = value;
      return value;
    },
    async findOperation() {
      operation = await resolved.findOperation();
      return operation;
    },
  };
  const onPrepared = () => {
    throw new Prepared();
  };
  try {
    const result = await runTest(looked.parts, recorded, { signal: new AbortController().signal, onPrepared });
    return { result: concludeExecution(parts, task, result) };
  } catch (error) {
    if (!(error instanceof Prepared)) throw error;
  }
  const { execution, run } = task;
  const { organizationId, test, row, baseUrls, hasOwnServers, isConfirmed, mayRequireAuthentication } = resolved;
  const unread = new Set([...looked.secretReferences.map(({ name }) => name), ...(expected ?? [])]);
  const secrets: SealedParts = {
    executionId: execution.id,
    expiresAt: new Date(parts.clock.now().getTime() + seconds * 1_000).toISOString(),
    captures: resolved.captures.filter(({ name }) => !unread.has(name)),
    cookies: resolved.cookies,
    secretReferences: looked.secretReferences,
    credentials: looked.listCredentials(),
  };
  const names = new Set(Object.keys(variables));
  return {
    operation,
    task: {
      ...{ executionId: execution.id, fence: execution.fencing_token, organizationId },
      // The other rows are other executions.
      test: { ...test, data: undefined },
      ...{ row, variables, hasOwnServers, isConfirmed, mayRequireAuthentication, traceId: resolved.traceId },
      baseUrls: baseUrls.map((url) => url ?? null),
      onlyOwn: resolved.onlyOwn && {
        effect: resolved.onlyOwn.effect,
        ofRun: Object.keys(run.variables).filter((name) => names.has(name)),
      },
      ...(operation ? { operation: toOperationKey(task) } : {}),
      hostRules: looked.listHostRules(),
      files: looked.listFiles(),
      settings: pickSettings(parts.settings.current()),
      sealed: await seal(secrets, sealingKey),
    },
  };
}

function toOwnReference(reference: SecretReference) {
  if (reference.kind === "environment") return { environmentName: reference.name };
  return { vault: { path: reference.path, key: reference.key } };
}

/** Shared by the tasks of one response. */
function toOperationKey({ api, execution: { method, path } }: ExecutionTask): string {
  return `${api.documentId} ${method.toLowerCase()} ${path}`;
}

function pickSettings({
  verifiedDomainsOnly,
  testTimeoutSeconds,
  answerKibibytes,
  judgedMebibytes,
}: AgentTask["settings"]): AgentTask["settings"] {
  return { verifiedDomainsOnly, testTimeoutSeconds, answerKibibytes, judgedMebibytes };
}

/** What a test's request is built from, and what was looked up for it. */
function createRecording(parts: HandingParts, readsVault: boolean) {
  const openCredentials = readsVault ? parts.openForVaults : parts.openCredentials;
  const credentials = new Map<string, SealedParts["credentials"][number]>();
  const hostRules = new Map<string, AgentTask["hostRules"][number]>();
  const files = new Map<string, AgentTask["files"][number]>();
  const secretReferences: SealedParts["secretReferences"] = [];
  const recording: RunningParts = {
    ...parts,
    // A token is requested by who sends the request, by its own list of allowed targets.
    accessTokens: { require: async () => stillUnread, renew: async () => stillUnread },
    async openCredentials(organizationId, host, authorization) {
      const opened = await openCredentials(organizationId, host, authorization);
      const key = toAuthorizationKey(authorization);
      const items = opened.items.map((item) => ({ ...item }));
      const refused = opened.refused.map((one) => ({ ...one }));
      credentials.set(`${host} ${key}`, { host, authorization: key, items, refused });
      return opened;
    },
    async findHostRules(organizationId, host) {
      const rules = await parts.findHostRules(organizationId, host);
      hostRules.set(host, { host, rules });
      return rules;
    },
    async findFile(organizationId, file) {
      const bytes = await parts.findFile(organizationId, file);
      if (bytes) files.set(file.sha256, { sha256: file.sha256, content: Buffer.from(bytes).toString("base64") });
      return bytes;
    },
  };
  const readSecretVariables: SecretVariableLookup = async (organizationId, references) => {
    const isOwn = ({ kind }: SecretReference) => kind === "environment" || readsVault;
    const others: typeof references = Object.fromEntries(
      Object.entries(references).filter(([, reference]) => !isOwn(reference)),
    );
    const own = Object.entries(references).flatMap(([name, reference]) =>
      isOwn(reference) ? [{ name, ...toOwnReference(reference) }] : [],
    );
    secretReferences.push(...own);
    const read = await parts.readSecretVariables(organizationId, others);
    const unread = own.map(({ name }) => ({ name, value: stillUnread, isSecret: true }));
    return { ...read, captures: [...unread, ...read.captures] };
  };
  return {
    parts: recording,
    readSecretVariables,
    secretReferences,
    listCredentials: () => [...credentials.values()],
    listHostRules: () => [...hostRules.values()],
    listFiles: () => [...files.values()],
  };
}
