import { searchApis, searchOperations } from "../store/search.ts";
import type { RegistryContext, RegistryHandlers } from "./context.ts";

export function createSearchHandlers({ db }: RegistryContext): Pick<RegistryHandlers, "searchApis"> {
  return {
    async searchApis({ caller: { organizationId }, query }) {
      const search = { organizationId, ...query };
      const [apis, operations] = await Promise.all([searchApis(db, search), searchOperations(db, search)]);
      return { apis, operations };
    },
  };
}
