import { Resolver } from "node:dns/promises";

/** TXT records of a name, each joined from its parts. Throws the errors of Node's resolver. */
export type FindTexts = (name: string) => Promise<string[]>;

/**
 * Queries the system's name servers unless others are given.
 * @param servers such as `127.0.0.1:5353`
 */
export function createFindTexts(servers?: string[]): FindTexts {
  return async (name) => {
    // A new resolver per query: resolvers cache, and users check right after creating a record.
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const records = await resolver.resolveTxt(name);
    return records.map((parts) => parts.join(""));
  };
}
