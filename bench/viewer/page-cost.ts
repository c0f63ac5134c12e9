import { get } from "node:http";

/** One page over a plain connection, compressed as for a browser. */
export interface FetchedPage {
  milliseconds: number;
  /** Compressed bytes of the body. */
  bytes: number;
  body: Buffer;
  encoding: string | undefined;
}

export function fetchCompressed(url: string, cookie: string): Promise<FetchedPage> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    get(url, { headers: { cookie, "accept-encoding": "gzip" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
        resolve({
          milliseconds: performance.now() - start,
          bytes: body.length,
          body,
          encoding: response.headers["content-encoding"],
        });
      });
    }).on("error", reject);
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
