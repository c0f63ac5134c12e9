import { available } from "~/backend/responses";
import { circleAddress } from "~/features/circles/circle-addresses";
import type { LocationUse } from "~/features/locations/location-words";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";

const displayed = 20;

/** Undefined without permission to see APIs, and while one of the services does not respond. */
export async function findLocationUse(viewer: Viewer, locationId: string): Promise<LocationUse | undefined> {
  if (!viewer.may("apis:read")) return undefined;
  const query = { locationId, limit: displayed };
  const [tests, circles, apis, deletion] = await Promise.all([
    viewer.backend.testRegistry.listAllTests({ query }).then(available),
    viewer.backend.testRegistry.listCircles({ query }).then(available),
    viewer.backend.apiRegistry.listApis({ query }).then(available),
    viewer.backend.testExecutioner.describeLocationDeletion({ params: { locationId } }).then(available),
  ]);
  if (!tests || !circles || !apis || !deletion) return undefined;
  const continuing = deletion.circles.filter((circle) => circle.continues);
  return {
    tests: {
      total: tests.total ?? tests.items.length,
      items: tests.items.map(({ id: testId, apiId, name }) => ({
        name,
        href: href("/test-management/:apiId/tests/:testId/edit", { apiId, testId }),
      })),
    },
    circles: {
      total: circles.total ?? circles.items.length,
      items: circles.items.map((circle) => ({ name: circle.name, href: circleAddress(circle) })),
    },
    continuing: {
      total: continuing.length,
      items: continuing.map(({ testCircleId: id, apiIds, name }) => ({ name, href: circleAddress({ id, apiIds }) })),
    },
    apis: {
      total: apis.total ?? apis.items.length,
      items: apis.items.map(({ id, name }) => ({ name, href: href("/api-management/:apiId/details", { apiId: id }) })),
    },
  };
}
