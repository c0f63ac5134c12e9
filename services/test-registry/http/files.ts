import { createHash } from "node:crypto";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { maximumFileBytes, maximumStoredBytes } from "#contracts/test-registry/files.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { readLimitedBytes } from "../../kit/service/limited-body.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findFileBytes, insertFile, lockFiles, sumFileSizes, touchFiles } from "../store/files.ts";
import type { TestDatabase } from "../store/tables.ts";

const mebibyte = 1_048_576;

function refuseFull(): never {
  const message = `Your organization's files take up to ${maximumStoredBytes / mebibyte} MiB, which is used up. A file is deleted a day after the last test stops using it.`;
  throw new Problem("invalid_input", message, { errors: [{ path: "file", message }] });
}

/** Creates the handlers of the files that requests send. */
export function createFileHandlers({
  db,
  clock,
}: {
  db: TestDatabase;
  clock: Clock;
}): Pick<Handlers<typeof testRegistryContract>, "storeFile" | "getFile"> {
  return {
    async storeFile({ caller: { organizationId }, request, record, log }) {
      const bytes = await readLimitedBytes(request, maximumFileBytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const stored = { sha256, size: bytes.length };
      const now = clock.now();
      await db.transaction().execute(async (transaction) => {
        await lockFiles(transaction, organizationId);
        const known = await touchFiles(transaction, organizationId, [sha256], now);
        if (known.size > 0) return await record(transaction);
        if ((await sumFileSizes(transaction, organizationId)) + bytes.length > maximumStoredBytes) refuseFull();
        await insertFile(transaction, { organizationId, sha256 }, bytes, now);
        await record(transaction, { id: sha256, after: stored });
      });
      log.info({ sha256, size: bytes.length }, "file stored");
      return stored;
    },

    async getFile({ caller: { organizationId }, params: { sha256 } }) {
      const bytes = await findFileBytes(db, { organizationId, sha256 });
      if (!bytes) throw notFound("file");
      return new Response(new Uint8Array(bytes), {
        headers: {
          "content-type": "application/octet-stream",
          "content-length": String(bytes.length),
          "content-disposition": `attachment; filename="${sha256.slice(0, 16)}.bin"`,
          "x-content-type-options": "nosniff",
        },
      });
    },
  };
}
