import type { Logger } from "pino";
import type { IssueServiceToken } from "../services/kit/identity/identity.ts";
import { noOrganization } from "../services/kit/organization/no-organization.ts";
import { type Listener, listen } from "../services/kit/service/listener.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import { type Configuration, ConfigurationError, type ServiceName } from "./configuration.ts";
import { contracts } from "./contracts.ts";
import { createRoot } from "./http.ts";
import { variables } from "./variables.ts";

type Given = Pick<Configuration, "run" | "serviceUrls" | "internalPort">;

/**
 * Services in other processes call those of a portal's process and send it events, and its public API has no
 * internal calls: without a port for them, events would be refused and parked, and tokens could not be verified.
 * @throws ConfigurationError when some but not all services run alone, and there is no such port
 */
export function requireInternalPort({ run, serviceUrls, internalPort }: Given): void {
  if (internalPort !== undefined || !run.includes("portal")) return;
  const names = Object.keys(serviceUrls) as ServiceName[];
  const getVariables = (stored: ServiceName[]) => stored.map((name) => variables.serviceUrls[name].name).join(", ");
  const alone = names.filter((name) => serviceUrls[name]);
  const here = names.filter((name) => !serviceUrls[name]);
  if (alone.length === 0 || here.length === 0) return;
  throw new ConfigurationError(
    `INTERNAL_PORT is needed with ${getVariables(alone)}: services that run alone call those of this process there. Set it, or ${getVariables(here)} too.`,
  );
}

interface InternalParts {
  configuration: Configuration;
  log: Logger;
  services: Map<ServiceName, RunningService>;
}

/** Serves this process's services to those in other processes, each below its name, internal calls included. */
export async function listenInternally({ configuration, log, services }: InternalParts): Promise<Listener | undefined> {
  const { internalPort, publicUrl, trustedProxies } = configuration;
  if (internalPort === undefined) return undefined;
  const root = createRoot({ log, publicUrl, trustedProxies });
  for (const [name, service] of services) root.mount(`/${name}`, service.app.fetch);
  const listener = await listen(root.fetch, { ...configuration, port: internalPort, portVariable: "INTERNAL_PORT" });
  log.info({ internalPort: listener.port }, "services that run alone are served");
  return listener;
}

/** A service refuses a body that is no event; pages, proxies and the public API have no such call. */
async function isOfService(response: Response): Promise<boolean> {
  if (response.status === 204 || response.status >= 500) return true;
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  return code !== undefined && code !== "not_found";
}

interface OtherServices {
  configuration: Configuration;
  others: readonly ServiceName[];
  serviceToken: IssueServiceToken;
  deadlineMilliseconds: number;
}

/**
 * Waits for a service that is still starting. A consumer at a wrong address would never receive an event.
 * @throws ConfigurationError naming each such address
 */
export async function requireInternalResponses(given: OtherServices): Promise<void> {
  const { configuration, others, serviceToken, deadlineMilliseconds } = given;
  const authorization = `Bearer ${await serviceToken(noOrganization)}`;
  const problems = await Promise.all(
    others.map(async (other) => {
      const baseUrl = configuration.serviceUrls[other];
      const { method, path } = contracts[other].receiveEvent;
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        // Without a body: after a 421, as the pages respond to this host, fetch would send one again and fail.
        headers: { authorization },
        redirect: "manual",
        signal: AbortSignal.timeout(deadlineMilliseconds),
      }).catch(() => undefined);
      if (!response || (await isOfService(response))) return [];
      return [
        `${variables.serviceUrls[other].name} points to a process where ${other} accepts no internal calls. Name the process that runs it alone, or the INTERNAL_PORT of a portal with /${other} behind it.`,
      ];
    }),
  );
  if (problems.flat().length > 0) throw new ConfigurationError(problems.flat().join("\n"));
}
