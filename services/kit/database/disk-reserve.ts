import { statfs } from "node:fs/promises";
import type { Logger } from "pino";
import { StartRefused } from "../service/start-refused.ts";

export type ReadFreeBytes = () => Promise<number>;

/** Space available to non-root users on the disk of the folder. */
function toFreeBytes(folder: string): ReadFreeBytes {
  return async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
}

const megabyte = 1_048_576;
const inMegabytes = (bytes: number) => Math.floor(bytes / megabyte);
/** A segment of the embedded engine's journal takes 1 MB. */
const journalBytes = 2 * megabyte;
/** Bytes that the engine writes before it has replayed its journal, which is short after a full disk. */
const startBytes = 16 * megabyte;

/** How long a measurement is valid. A statement writes far less than the reserve meanwhile. */
const cacheMilliseconds = 200;

export interface DiskOptions {
  /** Minimum free space on the disk. Default 0: no limit. */
  reserveBytes?: number;
  /** Default: as reported by the folder's file system. */
  readFreeBytes?: ReadFreeBytes;
  log?: Pick<Logger, "warn" | "error">;
}

/**
 * Whether the disk is so full that writing has to stop. An embedded database without space for its journal never
 * returns from that statement (see `startEngine`), so writing stops while running statements still have space.
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

  /** Measures unless a recent measurement exists; returns whether the disk is short of space. */
  async look(): Promise<boolean> {
    const now = performance.now();
    if (this.#reserveBytes === 0 || now - this.#lookedAt < cacheMilliseconds) return this.#isShort;
    this.#lookedAt = now;
    const freeBytes = await this.#readFreeBytes();
    const isShort = freeBytes < this.#reserveBytes;
    if (isShort !== this.#isShort) this.#tell(isShort, freeBytes);
    this.#isShort = isShort;
    return isShort;
  }

  /** Whether not even running statements have space left. */
  async isExhausted(): Promise<boolean> {
    return (await this.#readFreeBytes()) < journalBytes;
  }

  async hasCapacityToStart(): Promise<boolean> {
    return (await this.#readFreeBytes()) >= Math.max(this.#reserveBytes, startBytes);
  }

  #tell(isShort: boolean, freeBytes: number): void {
    const figures = { freeMegabytes: inMegabytes(freeBytes), reserveMegabytes: inMegabytes(this.#reserveBytes) };
    if (isShort) this.log?.error(figures, "the data folder's disk is full: nothing is stored until there is room");
    else this.log?.warn(figures, "the data folder's disk has free space again: storing continues");
  }
}

/** @throws StartRefused below the reserve: an engine without space hangs during its start, too */
export async function openReserve(folder: string | undefined, options: DiskOptions): Promise<DiskReserve> {
  const { reserveBytes = 0, log } = options;
  const { readFreeBytes = folder ? toFreeBytes(folder) : async () => Number.POSITIVE_INFINITY } = options;
  const freeBytes = await readFreeBytes();
  if (freeBytes < reserveBytes) {
    throw new StartRefused(
      `The disk of the data folder ${folder} has ${inMegabytes(freeBytes)} MB left, and ${inMegabytes(reserveBytes)} MB are kept in reserve. Free up space, or lower DATA_RESERVE_MEGABYTES.`,
    );
  }
  return new DiskReserve({ reserveBytes, readFreeBytes, log });
}
