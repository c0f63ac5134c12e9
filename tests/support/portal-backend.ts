import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { createLastingBackend } from "./lasting-backend.ts";
import { type RunningPortal, signIn } from "./portal-process.ts";

export type PortalBackend = Awaited<ReturnType<typeof signInToBackend>>;

/** The portal's own API over HTTP, as a signed-in user. */
export async function signInToBackend(portal: RunningPortal) {
  const { origin } = portal;
  const { securityService } = createBackend(origin);
  const goOn = (refreshToken: string) => securityService.refresh({ body: { refreshToken } });
  const backend = createLastingBackend(await signIn(portal), (token) => createBackend(origin, token), goOn);
  return {
    ...backend,
    asProgram: async (scopes?: Scope[]) => createBackend(origin, await createRunnerToken(backend, scopes)),
  };
}

/** An API token that starts and reads runs: unlike those of a signed-in user, their failures open incidents. */
export async function createRunnerToken(
  { securityService }: Pick<Backend, "securityService">,
  scopes: Scope[] = ["tests:read", "tests:run"],
): Promise<string> {
  const body = { name: "Nightly build", scopes };
  return requireValue(await securityService.createApiToken({ body }), "creating an API token").token;
}

type Backend = ReturnType<typeof createBackend>;

/** The portal's own API over HTTP, until the token expires. */
export function createBackend(origin: string, token?: string) {
  const at = (service: string) => ({ baseUrl: `${origin}/api/${service}` });
  return {
    securityService: connectTo(securityServiceContract, at("security-service"))({ token }),
    portalService: connectTo(portalServiceContract, at("portal-service"))({ token }),
    apiRegistry: connectTo(apiRegistryContract, at("api-registry"))({ token }),
    testRegistry: connectTo(testRegistryContract, at("test-registry"))({ token }),
    testExecutioner: connectTo(testExecutionerContract, at("test-executioner"))({ token }),
    testAnalyzer: connectTo(testAnalyzerContract, at("test-analyzer"))({ token }),
  };
}

/** Registers an API by the address of its document; returns its id. */
export async function registerApi(backend: PortalBackend, documentUrl: string): Promise<string> {
  return requireValue(
    await backend.apiRegistry.registerApi({ body: { source: { url: documentUrl } } }),
    "registering the API",
  ).id;
}
