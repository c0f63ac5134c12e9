import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import {
  type ImportFiles as Files,
  type ImportSource,
  importFiles,
  maximumImportBytes,
} from "#contracts/test-registry/imports.ts";
import type { ChosenFile } from "#libraries/collections/read/unpack.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { findDraft, insertDraft } from "../store/imports.ts";
import type { TestDatabase } from "../store/tables.ts";

const draftMilliseconds = 60 * 60 * 1_000;

const refuse = (message: string) => new Problem("invalid_input", undefined, { errors: [{ path: "source", message }] });

export type ImportFiles = ReturnType<typeof createImportFiles>;

/** Files of imports between preview and confirmation. They may hold secrets, so they are stored encrypted. */
export function createImportFiles({ db, clock, vault }: { db: TestDatabase; clock: Clock; vault: Vault }) {
  const toBinding = (organizationId: string, id: string) => ({ organizationId, record: `imports/${id}` });

  async function open(organizationId: string, id: string): Promise<Files> {
    const sealed = await findDraft(db, { organizationId, id }, clock.now());
    const expired = () => refuse("The files are no longer stored: a preview is stored for an hour. Choose them again.");
    if (sealed === undefined) throw expired();
    try {
      return importFiles.parse(JSON.parse(vault.open(sealed, toBinding(organizationId, id))));
    } catch {
      // Sealed with a key that was replaced since.
      throw expired();
    }
  }

  return {
    /** @throws Problem invalid_input at `source` if they are too large, or no longer stored */
    async read(organizationId: string, source: ImportSource): Promise<{ files: Files; chosen: ChosenFile[] }> {
      const files = "draft" in source ? await open(organizationId, source.draft) : source.files;
      const chosen = files.map(({ name, text, base64 }) => ({
        name,
        bytes: base64 === undefined ? new TextEncoder().encode(text ?? "") : Buffer.from(base64, "base64"),
      }));
      if (chosen.reduce((sum, { bytes }) => sum + bytes.length, 0) > maximumImportBytes)
        throw refuse(`More than ${maximumImportBytes / 1_000_000} MB in one import. Import fewer files.`);
      return { files, chosen };
    },

    async keep(organizationId: string, files: Files): Promise<{ id: string; expiresAt: string }> {
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + draftMilliseconds);
      const id = uuidv7();
      const sealed = vault.seal(JSON.stringify(files), toBinding(organizationId, id));
      await insertDraft(db, { organizationId, id, files: sealed, expiresAt, now });
      return { id, expiresAt: expiresAt.toISOString() };
    },
  };
}
