import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";
import type { PortalContext } from "~/session/context";

/** Status of each service; null for what it did not report in time, as the specification requires. */
export async function findServiceStatuses({ actuators }: Pick<PortalContext, "actuators">) {
  return await Promise.all(
    actuators().map(async ({ service, getHealth, getInfo }) => {
      const [health, info] = await Promise.all([getHealth(), getInfo()]);
      const components = health.ok ? Object.entries(health.value.components) : [];
      return {
        service,
        status: health.ok ? health.value.status : null,
        away: components.filter(([, { status }]) => status === "DOWN").map(([name]) => name),
        version: info.ok ? info.value.version : null,
      };
    }),
  );
}
export type ServiceStatus = Awaited<ReturnType<typeof findServiceStatuses>>[number];

/** Queue depths of every service that has queues; services that are away are left out. */
export async function findWaitingWork(backend: Backend) {
  const { testExecutioner, testAnalyzer, securityService, portalService } = backend;
  const statuses = await Promise.all(
    [testExecutioner, testAnalyzer, securityService, portalService].map((service) =>
      service.listWaitingWork().then(available),
    ),
  );
  return statuses.flatMap((list) => list?.items ?? []);
}
