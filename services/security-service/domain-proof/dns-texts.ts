import { Resolver } from "node:dns/promises";

/** TXT records of a name, each put together from its parts. Throws what Node's resolver throws. */
export type FindTexts = (name: string) => Promise<string[]>;

/**
 * Asks the machine's name servers, or these.
 * @param servers as in `127.0.0.1:5353`
 */
export function createFindTexts(servers?: string[]): FindTexts {
  return async (name) => {
    // One for each question: a resolver remembers answers, and a record that was just made is looked for right away.
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const records = await resolver.resolveTxt(name);
    return records.map((parts) => parts.join(""));
  };
}
