import type { LoaderFunctionArgs } from "@remix-run/node";
import { required } from "~/backend/responses";
import { requireViewer } from "~/session/guards";
import { createLastingBackend } from "~/session/lasting-backend.server";
import { createArchive } from "./archive.server";

/** Everything the organization has, as a download. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const organization = required(await backend.portalService.getCurrentOrganization());
  const now = new Date();
  return new Response(createArchive(createLastingBackend(context, session), organization, now), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="organization-${now.toISOString().slice(0, "2026-04-17".length)}.zip"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
