/** Writes `.br` and `.gz` next to every built asset, so that the server sends them without compressing again. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const assets = "build/client/assets";
for (const name of readdirSync(assets)) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const content = readFileSync(join(assets, name));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, brotli));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
}
