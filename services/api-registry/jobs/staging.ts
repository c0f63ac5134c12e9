import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import {
  completeStagedSource,
  findStagedChunk,
  findStagedSource,
  insertStagedChunk,
  insertStagedSource,
  removeStagedSources,
} from "../store/staged-sources.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import { blockBytes } from "./request-body.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Long enough to read the problems and to fill in the rest of a form. */
const retentionMilliseconds = 60 * 60_000;
const everyMilliseconds = 60 * 60_000;
/** Per organization; a user who checks several documents in a row needs the last one. */
const maxPerOrganization = 5;
const chunkBytes = 256 * 1024;

/** Documents submitted for inspection, stored unchanged so that they need not be submitted again. */
export interface Staging {
  stage(
    organizationId: string,
    contentType: string,
    body: readonly Uint8Array[],
  ): Promise<{ id: string; expiresAt: string }>;
  /** The body unchanged, block by block; undefined when it has expired or belongs to another organization. */
  open(
    organizationId: string,
    id: string,
  ): Promise<{ contentType: string; blocks: AsyncGenerator<Uint8Array> } | undefined>;
  stop(): Promise<void>;
}

export function createStaging({ db, clock, log }: { db: RegistryDatabase; clock: Clock; log: Logger }): Staging {
  const stop = startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: () => removeStagedSources(db, clock.now()),
    failure: "removing staged documents failed",
    log,
  });

  async function* readBlocks(id: string): AsyncGenerator<Uint8Array> {
    let chunks: Uint8Array[] = [];
    for (let position = 0; ; position++) {
      const deflated = await findStagedChunk(db, id, position);
      if (deflated) chunks.push(await inflate(deflated));
      // Blocks with separate memory, which a worker can take over.
      if (chunks.length * chunkBytes >= blockBytes || (!deflated && chunks.length > 0)) {
        yield new Uint8Array(Buffer.concat(chunks));
        chunks = [];
      }
      if (!deflated) return;
    }
  }

  return {
    async stage(organizationId, contentType, body) {
      const id = uuidv7();
      const expiresAt = new Date(clock.now().getTime() + retentionMilliseconds);
      await insertStagedSource(db, { id, organizationId, contentType, expiresAt });
      let position = 0;
      for (const block of body) {
        for (let start = 0; start < block.length; start += chunkBytes) {
          // Not on the thread that serves pages; the database stores one small piece at a time.
          const deflated = await deflate(block.subarray(start, start + chunkBytes), { level: 1 });
          await insertStagedChunk(db, id, position++, deflated);
        }
      }
      await completeStagedSource(db, id);
      await removeStagedSources(db, clock.now(), { organizationId, kept: maxPerOrganization });
      return { id, expiresAt: expiresAt.toISOString() };
    },

    async open(organizationId, id) {
      const staged = await findStagedSource(db, organizationId, id, clock.now());
      return staged && { contentType: staged.contentType, blocks: readBlocks(id) };
    },

    stop,
  };
}
