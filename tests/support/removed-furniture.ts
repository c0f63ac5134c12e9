import { expect, vi } from "vitest";
import type { FurnishedIds } from "./furnished-organization.ts";
import type { PortalBackend } from "./portal-backend.ts";

/** Deletes everything that has its own page, and everything that depends on it. */
export async function removeFurniture(
  { apiRegistry, testRegistry, testExecutioner, testAnalyzer, securityService }: PortalBackend,
  { apiId, testCircleId, channelId, domainId, locationId, ...ids }: FurnishedIds,
): Promise<void> {
  const { maintenanceWindowId, authorizationConfigId, credentialId, invitationId, apiTokenId } = ids;
  const results = [
    await testRegistry.deleteMaintenanceWindow({ params: { maintenanceWindowId } }),
    await testRegistry.deleteCircle({ params: { testCircleId } }),
    await apiRegistry.deleteApi({ params: { apiId } }),
    await testAnalyzer.deleteChannel({ params: { channelId } }),
    await securityService.deleteAuthorizationConfig({ params: { authorizationConfigId } }),
    await securityService.deleteCredential({ params: { credentialId } }),
    await securityService.deleteDomain({ params: { domain: domainId } }),
    await securityService.cancelInvitation({ params: { invitationId } }),
    await testExecutioner.deleteLocation({ params: { locationId } }),
    await securityService.revokeApiToken({ params: { apiTokenId } }),
  ];
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 204));
  const { testId, executionId, runId, explorationId, markId } = ids;
  const isDeleted = async () => {
    const left = await Promise.all([
      testRegistry.getTest({ params: { testId } }),
      testExecutioner.getExecution({ params: { executionId } }),
      testExecutioner.getRun({ params: { runId }, query: {} }),
      testExecutioner.getExploration({ params: { explorationId } }),
      testAnalyzer.getMark({ params: { markId } }),
    ]);
    return left.map(({ status }) => status);
  };
  await vi.waitUntil(async () => (await isDeleted()).every((status) => status === 404), { timeout: 300_000 });
}
