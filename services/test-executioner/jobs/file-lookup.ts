import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { FindFile } from "#libraries/running/lookups.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

/** The tests of a run often send the same file. Bytes never change, as their name is their hash. */
const cacheMilliseconds = 30_000;
const cacheBytes = 32 * 1_048_576;

/** Returns a function that loads the files of requests; bounded by their bytes, and shared by tests of one organization. */
export function createFileLookup(
  testRegistry: Connect<typeof testRegistryContract>,
  serviceToken: IssueServiceToken,
): FindFile {
  const stored = new Cache<Promise<Uint8Array | undefined>>({
    maxSize: cacheBytes,
    maxAgeMilliseconds: cacheMilliseconds,
  });
  async function load(organizationId: string, sha256: string): Promise<Uint8Array | undefined> {
    const client = testRegistry({ token: await serviceToken(organizationId) });
    const result = await client.getFile({ params: { sha256 } });
    if (!result.ok && result.status === 404) return undefined;
    requireValue(result, "A file of a request could not be loaded");
    return result.ok ? new Uint8Array(await result.response.arrayBuffer()) : undefined;
  }
  return (organizationId, { sha256, size }) => {
    const key = `${organizationId} ${sha256}`;
    const known = stored.get(key);
    if (known) return known;
    const loading = load(organizationId, sha256);
    stored.set(key, loading, size + 1);
    const forget = () => stored.delete(key);
    loading.then((bytes) => bytes ?? forget(), forget);
    return loading;
  };
}
