import { routeAccess } from "../../app/session/route-access.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { makeWorld } from "../../tests/support/made-world.ts";
import { signInToBackend } from "../../tests/support/portal-backend.ts";
import type { RunningPortal } from "../../tests/support/portal-process.ts";
import { startTargetApi } from "../../tests/support/target-api.ts";

/** Files, redirects and event streams: nothing to look at. */
const withoutPage =
  /\.(csv|svg|atom|yaml)$|\/(events|report|download|drift|export|badge|filter|send|start|html|body-schema|notices|environment|signout|cookie-consent|human-check|return|single-sign-on\/return|time-zone|example)$|^\/(signup|self-registration|notifications|profile\/confirm|status-updates|administration|api-management|test-management)$|\/notifications\/|\/files\/|\/documents\/|paypal-deliveries\/|\/sandbox\/mail\/|reconciliations\/|tests\/create\/\*|swagger\/webhook|^\/\*|confirm-|end-status|\/body$|swagger\/schema$|\/:apiId$|subscriptionId\/plan$/;

export interface PictureOfPage {
  name: string;
  path: string;
  isPublic: boolean;
}

/** What one account sees of the example, and ids of everything else a portal can hold. */
async function findIds(portal: RunningPortal): Promise<Record<string, string>> {
  const backend = await signInToBackend(portal);
  const { apiRegistry, testRegistry, testExecutioner, testAnalyzer, portalService } = backend;
  const shop = requireValue(await apiRegistry.listApis({ query: { query: "Example shop" } }), "the shop").items[0]!;
  const of = { query: { apiId: shop.id } };
  const circle = requireValue(await testRegistry.listCircles(of), "circles").items[0]!;
  const schedule = requireValue(await testRegistry.listSchedules(), "schedules").items[0]!;
  const incidents = requireValue(
    await testAnalyzer.listIncidents({ query: { testCircleId: circle.id } }),
    "incidents",
  ).items;
  const failing = requireValue(await testExecutioner.listFailingTests({ query: {} }), "failing tests").items;
  const { testId, execution } = failing.find((one) => /price/.test(one.execution?.testName ?? "")) ?? failing[0]!;
  const runs = requireValue(await testExecutioner.listRuns(of), "runs").items;
  const targetApi = await startTargetApi();
  try {
    const world = await makeWorld(portal, targetApi);
    await toTheEnd(testExecutioner).runCircle({ params: { testCircleId: circle.id }, body: {} });
    const subscription = await portalService.createSubscription({ body: { serviceId: "team" } });
    return {
      ...world,
      exploredApiId: world.apiId,
      ...{ apiId: shop.id, testCircleId: circle.id, scheduleId: schedule.id, runId: runs[0]!.id },
      testCircleExecutionId: runs[0]!.id,
      incidentId: incidents[0]!.id,
      ...{ testId, testExecutionId: execution!.id },
      subscriptionId: subscription.ok ? subscription.value.id : "",
      ...{ address: world.statusAddress, domain: "127.0.0.1:1", serviceId: "team", chapter: "tests" },
      ...{ pathName: encodeURIComponent("/products/{productId}"), method: "get" },
    };
  } finally {
    await targetApi.stop();
  }
}

/** Every page of the table of access rules that can be opened with what this portal holds. */
export async function listPages(portal: RunningPortal): Promise<PictureOfPage[]> {
  const ids = await findIds(portal);
  const selected: Record<string, string> = {
    "/api-management/:apiId/swagger/operation": "?method=get&path=%2Fproducts%2F%7BproductId%7D",
    "/api-management/:apiId/dependencies/resource": "?key=%2Fproducts%2F%7B%7D",
  };
  return Object.entries(routeAccess).flatMap(([route, access]) => {
    if (withoutPage.test(route)) return [];
    const unknown = [...route.matchAll(/:(\w+)/g)].some(([, name]) => !ids[name!]);
    if (unknown) return [];
    // The exploration is another API's.
    const of = (name: string) =>
      name === "apiId" && route.includes(":explorationId") ? ids.exploredApiId! : ids[name]!;
    const path = route.replaceAll(/:(\w+)/g, (_, name: string) => of(name)) + (selected[route] ?? "");
    const name = route === "/" ? "home" : route.slice(1).replaceAll(/[/:.]+/g, "-");
    return [{ name, path, isPublic: access === "public" }];
  });
}
