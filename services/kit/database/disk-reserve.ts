import { statfs } from "node:fs/promises";
import type { Logger } from "pino";
import { StartRefused } from "../service/start-refused.ts";

export type ReadFreeBytes = () => Promise<number>;

/** Room for whoever is not root, on the disk that holds the folder. */
function freeBytesOf(folder: string): ReadFreeBytes {
  return async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
}

const megabyte = 1_048_576;
const inMegabytes = (bytes: number) => Math.floor(bytes / megabyte);
/** A piece of the embedded engine's journal takes 1 MB. */
const journalBytes = 2 * megabyte;
/** What the engine writes before it has taken up what its journal holds, which is little where a disk was full. */
const startBytes = 16 * megabyte;

/** How long a look is good for. A statement writes far less than the reserve meanwhile. */
const keptMilliseconds = 200;

export interface DiskOptions {
  /** The least room that writing leaves on the disk. Default 0: no limit. */
  reserveBytes?: number;
  /** Default: what the folder's file system says. */
  readFreeBytes?: ReadFreeBytes;
  log?: Pick<Logger, "warn" | "error">;
}

/**
 * Whether the disk is so full that nothing more may be written. An embedded database that finds no room for its journal
 * never comes back from that statement (see `startEngine`), so writing ends while there is room for what is under way.
 */
export class DiskReserve {
  readonly #reserveBytes: number;
  readonly #readFreeBytes: ReadFreeBytes;
  readonly log: DiskOptions["log"];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isShort = false;

  constructor({ reserveBytes, readFreeBytes, log }: Required<Omit<DiskOptions, "log">> & Pick<DiskOptions, "log">) {
    this.#reserveBytes = reserveBytes;
    this.#readFreeBytes = readFreeBytes;
    this.log = log;
  }

  /** Looks, unless it has just done so; answers whether the disk is short of room. */
  async look(): Promise<boolean> {
    const now = performance.now();
    if (this.#reserveBytes === 0 || now - this.#lookedAt < keptMilliseconds) return this.#isShort;
    this.#lookedAt = now;
    const freeBytes = await this.#readFreeBytes();
    const isShort = freeBytes < this.#reserveBytes;
    if (isShort !== this.#isShort) this.#tell(isShort, freeBytes);
    this.#isShort = isShort;
    return isShort;
  }

  /** Whether not even what is under way finds room any more. */
  async isExhausted(): Promise<boolean> {
    return (await this.#readFreeBytes()) < journalBytes;
  }

  async hasRoomToStart(): Promise<boolean> {
    return (await this.#readFreeBytes()) >= Math.max(this.#reserveBytes, startBytes);
  }

  #tell(isShort: boolean, freeBytes: number): void {
    const figures = { freeMegabytes: inMegabytes(freeBytes), reserveMegabytes: inMegabytes(this.#reserveBytes) };
    if (isShort) this.log?.error(figures, "the data folder's disk is full: nothing is stored until there is room");
    else this.log?.warn(figures, "the data folder's disk has room again: storing goes on");
  }
}

/** @throws StartRefused below the reserve: an engine that finds no room while it starts hangs like one that runs */
export async function openReserve(folder: string | undefined, options: DiskOptions): Promise<DiskReserve> {
  const { reserveBytes = 0, log } = options;
  const { readFreeBytes = folder ? freeBytesOf(folder) : async () => Number.POSITIVE_INFINITY } = options;
  const freeBytes = await readFreeBytes();
  if (freeBytes < reserveBytes) {
    throw new StartRefused(
      `The disk of the data folder ${folder} has ${inMegabytes(freeBytes)} MB left, and ${inMegabytes(reserveBytes)} MB are kept in reserve. Make room, or set DATA_RESERVE_MEGABYTES to less.`,
    );
  }
  return new DiskReserve({ reserveBytes, readFreeBytes, log });
}
