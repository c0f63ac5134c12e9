import type { ApiCode } from "#contracts/code/api.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Change, CodeContext } from "../../../kit/code/code-kind.ts";
import type { Around } from "../../../kit/code/code-part.ts";
import type { ImportSummary } from "../../jobs/import-messages.ts";
import { findCurrentDocuments } from "../../store/coded-apis.ts";
import type { RegistryContext } from "../context.ts";
import { requireUsable } from "../source.ts";
import { atDocument } from "./document-errors.ts";

interface StoredDocument {
  id: string;
  summary: ImportSummary;
}

/** Documents of changes, whose content is stored before the transaction that makes them visible. */
export interface StoredDocuments {
  /** Undefined where the current one stays. */
  of(context: CodeContext, change: Change): StoredDocument | undefined;
  around: Around;
}

/** Reads submitted documents by the ids of their inspections. */
export function createStoredDocuments({ db, importer, contents }: RegistryContext): StoredDocuments {
  const stored = new WeakMap<CodeContext, Map<string, StoredDocument>>();

  async function isCurrent({ organizationId }: CodeContext, { id }: Change, sha256: string): Promise<boolean> {
    const found = await findCurrentDocuments(db, organizationId, [id]);
    return found.get(id)?.sha256 === sha256;
  }

  /** Stores the first one's content, and then those of the others around `next`. */
  async function storeEach(
    context: CodeContext,
    [first, ...others]: { change: Change; staged: string }[],
    next: () => Promise<void>,
  ): Promise<void> {
    if (!first) return await next();
    const request = new Request("http://service.internal/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: { staged: first.staged } }),
    });
    const session = await importer.open(request, context.organizationId);
    try {
      requireUsable(session.summary);
      const { sha256 } = (first.change.value as unknown as ApiCode).document;
      if (session.summary.sha256 !== sha256)
        throw new Problem("invalid_input", "The document that was sent is another one.");
      await contents.storeContent(session, async (id) => {
        // Others wait for its turn: more documents than are imported at the same time.
        session.release();
        stored.get(context)!.set(first.change.id, { id, summary: session.summary });
        await storeEach(context, others, next);
      });
    } catch (error) {
      throw atDocument(error, first.change.index);
    } finally {
      session.release();
    }
  }

  return {
    of: (context, { id }) => stored.get(context)?.get(id),

    async around(changed, context, next) {
      const needed: { change: Change; staged: string }[] = [];
      for (const { change } of changed) {
        if (!change) continue;
        const { sha256 } = (change.value as unknown as ApiCode).document;
        const staged = context.documents?.[sha256];
        if (staged && !(await isCurrent(context, change, sha256))) needed.push({ change, staged });
      }
      stored.set(context, new Map());
      await storeEach(context, needed, next);
    },
  };
}
