import { notFound } from "#contracts/kit/problem.ts";
import { changeSendsHostCredentials } from "../store/authentication.ts";
import { readMetadata } from "../store/documents.ts";
import type { DocumentRow } from "../store/tables.ts";
import { type RegistryContext, type RegistryHandlers, toApiEvent } from "./context.ts";
import { requireCurrentDocument } from "./descriptions.ts";

type AuthenticationHandlers = Pick<RegistryHandlers, "getAuthentication" | "changeAuthentication">;

export function createAuthenticationHandlers(context: RegistryContext): AuthenticationHandlers {
  const { db, publisher } = context;
  return {
    async getAuthentication({ caller, params }) {
      const { api, document } = await requireCurrentDocument(context, caller.organizationId, params.apiId);
      return { ...describeAuthentication(document), sendsHostCredentials: api.sends_host_credentials };
    },

    async changeAuthentication({ caller: { organizationId }, params: { apiId }, body, record }) {
      const { document } = await requireCurrentDocument(context, organizationId, apiId);
      const { sendsHostCredentials } = body;
      await db.transaction().execute(async (transaction) => {
        const changed = await changeSendsHostCredentials(transaction, { organizationId, apiId }, sendsHostCredentials);
        if (!changed) throw notFound("API");
        const before = { sendsHostCredentials: changed.before };
        await record(transaction, { id: apiId, before, after: { sendsHostCredentials } });
        await publisher.publish(transaction, [
          toApiEvent("api.changed", organizationId, { apiId, name: changed.name }),
        ]);
      });
      return { ...describeAuthentication(document), sendsHostCredentials };
    },
  };
}

function describeAuthentication(document: DocumentRow) {
  const { securitySchemes, securityRequirements } = readMetadata(document);
  const anyScheme = securitySchemes.length > 0 ? [securitySchemes.map(({ name }) => [name])] : [];
  return { securitySchemes, requirements: securityRequirements ?? anyScheme };
}
