import { startPortalProcess } from "./portal-process.ts";

/** Once before the browser tests: the portal that they share, on its embedded database. */
export default async function startSharedPortal(): Promise<() => Promise<unknown>> {
  const portal = await startPortalProcess();
  process.env.SHARED_PORTAL = portal.origin;
  return () => portal.stop();
}
