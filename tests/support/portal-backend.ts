import { apiRegistryContract } from "../../services/api-registry/contract/contract.ts";
import { connectTo, requireAnswer } from "../../services/kit/client/client.ts";
import { portalServiceContract } from "../../services/portal-service/contract/contract.ts";
import { securityServiceContract } from "../../services/security-service/contract/contract.ts";
import { testAnalyzerContract } from "../../services/test-analyzer/contract/contract.ts";
import { testExecutionerContract } from "../../services/test-executioner/contract/contract.ts";
import { testRegistryContract } from "../../services/test-registry/contract/contract.ts";
import { createLastingBackend } from "./lasting-backend.ts";
import { type RunningPortal, signIn } from "./portal-process.ts";

export type PortalBackend = Awaited<ReturnType<typeof signInToBackend>>;

/** The portal's own API over HTTP, as somebody who signed in. */
export async function signInToBackend(portal: RunningPortal) {
  const { origin } = portal;
  const { securityService } = backendOf(origin);
  const goOn = (refreshToken: string) => securityService.refresh({ body: { refreshToken } });
  return createLastingBackend(await signIn(portal), (token) => backendOf(origin, token), goOn);
}

/** The portal's own API over HTTP, for as long as the token lasts. */
export function backendOf(origin: string, token?: string) {
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

/** Registers an API by the address of its document; answers its id. */
export async function registerApi(backend: PortalBackend, documentUrl: string): Promise<string> {
  return requireAnswer(
    await backend.apiRegistry.registerApi({ body: { source: { url: documentUrl } } }),
    "registering the API",
  ).id;
}
