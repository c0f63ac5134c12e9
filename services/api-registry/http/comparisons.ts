import { readStoredDocument } from "../store/stored-document.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";
import { requireUsable } from "./source.ts";

export function createComparisonHandlers(context: RegistryContext): Pick<RegistryHandlers, "compareDocument"> {
  const { db, importer } = context;
  return {
    async compareDocument({ caller, params, request }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const session = await importer.open(request, caller.organizationId);
      try {
        requireUsable(session.summary);
        return await session.compareWith(readStoredDocument(db, api.current_document_id));
      } finally {
        session.release();
      }
    },
  };
}
