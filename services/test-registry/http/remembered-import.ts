import { uuidv7 } from "uuidv7";
import type { Vault } from "../../kit/vault/vault.ts";
import type { ImportPlan } from "../domain/imports/plan.ts";
import type { ImportedObject } from "../store/imported-objects.ts";
import type { DrawnCredential } from "./import-surroundings.ts";
import { secretContext } from "./imported-before.ts";

/** What an import made in other services. */
interface MadeElsewhere {
  /** Of the API. */
  name: string;
  isNewApi: boolean;
  /** Names of those that were stored. */
  environments: readonly string[];
  drawn: readonly DrawnCredential[];
}

/** What of other services another import of the same files recognizes, secrets sealed. */
export function toRemembered(
  vault: Vault,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  { apiEnvironments }: Pick<ImportPlan, "apiEnvironments">,
  { name, isNewApi, environments, drawn }: MadeElsewhere,
): ImportedObject[] {
  const seal = (secret: string, objectId: string) => vault.seal(secret, secretContext(organizationId, objectId));
  const api = { kind: "api" as const, key: name, objectId: apiId, hash: "", version: null, sealedSecret: null };
  const credentials = drawn
    .filter(({ knownId }) => knownId === undefined)
    .map((one) => ({
      ...{ kind: "credential" as const, key: one.name, objectId: one.id, hash: "", version: null },
      sealedSecret: seal(one.secret, one.id),
    }));
  const stored = apiEnvironments
    .filter((one) => environments.includes(one.name))
    .map(({ key, hash, secrets }) => {
      const objectId = uuidv7();
      const sealedSecret = seal(JSON.stringify(secrets), objectId);
      return { kind: "environment" as const, key, objectId, hash, version: null, sealedSecret };
    });
  return [...(isNewApi ? [api] : []), ...credentials, ...stored];
}
