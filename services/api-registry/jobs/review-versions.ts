import type { z } from "zod";
import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { consumer, resource } from "#contracts/api-registry/resources.ts";
import type { ComparedDocument } from "#libraries/openapi/comparison/compare-documents.ts";
import { matchOperations } from "#libraries/openapi/comparison/match-operations.ts";
import { findMovedPrefix, type PrefixOfOperations } from "#libraries/openapi/comparison/moved-prefix.ts";
import { type LivesOfVersion, type LivesReview, reviewLives } from "#libraries/review/review-lives.ts";
import type { ImportedDocument } from "../domain/imported-document.ts";

/** What a new version changes beside single operations. */
export interface VersionReview {
  /** Undefined where the graph of the version before is not stored yet. */
  lives: LivesReview | undefined;
  movedPrefix: PrefixOfOperations | undefined;
}

/** The graph of a stored version: JSON texts of its resources, and of what their creation needs. */
export interface StoredGraph {
  resources: string[];
  consumers: string[];
}

export function reviewVersions(
  before: Pick<ComparedDocument, "operations" | "servers">,
  graph: StoredGraph | undefined,
  after: Pick<ComparedDocument, "operations" | "servers">,
  { resources, consumers }: Pick<ImportedDocument, "resources" | "consumers">,
): VersionReview {
  const [old, now] = [before, after].map(({ operations }) => operations.filter(({ kind }) => kind === "operation"));
  const { pairs } = matchOperations(old!, now!, { before: before.servers, after: after.servers });
  const counterparts = new Map(pairs.map((pair) => [toKey(pair.before), pair.after]));
  const lives =
    graph &&
    reviewLives(
      readGraph(graph),
      toLives(
        resources.map((row) => row.resource),
        consumers.map((row) => row.consumers),
      ),
      (operation) => counterparts.get(toKey(operation)),
    );
  return { lives, movedPrefix: findMovedPrefix(pairs) };
}

const toKey = ({ method, path }: OperationKey) => `${method.toLowerCase()} ${path}`;

function readGraph({ resources, consumers }: StoredGraph): LivesOfVersion {
  const read = <Shape extends z.ZodType>(shape: Shape, texts: string[]): z.output<Shape>[] =>
    texts.map((text) => shape.parse(JSON.parse(text)));
  return toLives(read(resource, resources), read(consumer.array(), consumers));
}

/** Of what operations need, only what creates something counts. */
function toLives(resources: Resource[], consumers: LivesOfVersion["consumers"][]): LivesOfVersion {
  const creating = new Set(resources.flatMap(({ operations: { create } }) => (create ? [toKey(create)] : [])));
  return { resources, consumers: consumers.flat().filter(({ operation }) => creating.has(toKey(operation))) };
}
