import { z } from "@hono/zod-openapi";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { SealedWithAnotherKey, type Vault } from "../../kit/vault/vault.ts";
import { type KnownObject, listImportedObjects } from "../store/imported-objects.ts";
import type { TestDatabase } from "../store/tables.ts";
import type { ReadKnown } from "./import-plans.ts";

export const secretContext = (organizationId: string, credentialId: string) => ({
  organizationId,
  record: `imported_objects/${credentialId}`,
});

const environmentSecrets = z.record(z.string(), z.string());

/** Concurrent calls. */
const atOnce = 10;

/** Creates the function that reads what came from files before, and is there still. */
export function createReadKnown(parts: {
  db: TestDatabase;
  vault: Vault;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}): ReadKnown {
  function open(organizationId: string, { kind, objectId, sealedSecret }: KnownObject) {
    if (sealedSecret === null) return {};
    try {
      const text = parts.vault.open(sealedSecret, secretContext(organizationId, objectId));
      return kind === "environment" ? { secrets: environmentSecrets.parse(JSON.parse(text)) } : { secret: text };
    } catch (error) {
      if (error instanceof SealedWithAnotherKey) return {};
      throw error;
    }
  }

  return async ({ caller: { organizationId }, requestId }, apiId) => {
    const listed = await listImportedObjects(parts.db, { organizationId, apiId });
    const gone = new Set<string>();
    const credentials = listed.filter(({ kind }) => kind === "credential");
    if (credentials.length > 0) {
      const security = parts.securityService({ token: await parts.serviceToken(organizationId), requestId });
      for (let from = 0; from < credentials.length; from += atOnce)
        await Promise.all(
          credentials.slice(from, from + atOnce).map(async ({ objectId }) => {
            const found = await security.getCredential({ params: { credentialId: objectId } });
            if (found.ok) return;
            if (found.status !== 404) throw new Problem(found.problem.code, found.problem.detail);
            gone.add(objectId);
          }),
        );
    }
    return listed.flatMap((one) => {
      const { kind, key, objectId, hash, collection, version, current } = one;
      if (kind === "api" || gone.has(objectId)) return [];
      const isEdited = version !== current;
      return [{ kind, key, objectId, hash, collection, isEdited, ...open(organizationId, one) }];
    });
  };
}
