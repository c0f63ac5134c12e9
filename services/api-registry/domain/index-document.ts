import type { Json } from "#libraries/json/json.ts";
import { splitJson } from "#libraries/json/json-texts.ts";
import { type Direction, makeSample, type SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { DependencySets } from "./description/dependency-sets.ts";
import { DocumentDescriber, type IndexedOperation, toSampleSource } from "./description/describe-document.ts";
import { RequirementCount, type SecurityRequirements } from "./description/security-requirements.ts";
import { type Diagnostics, refuse } from "./diagnostics.ts";
import type {
  ComponentRow,
  DependencySetRow,
  OperationConsumersRow,
  OperationRow,
  ResourceRow,
} from "./imported-document.ts";
import type { ImportLimits } from "./limits.ts";
import type { DocumentSet } from "./references/document-set.ts";
import { OperationRelations } from "./relate-operations.ts";

export interface DocumentIndex {
  describer: DocumentDescriber;
  operations: OperationRow[];
  components: ComponentRow[];
  dependencySets: DependencySetRow[];
  resources: ResourceRow[];
  consumers: OperationConsumersRow[];
  securityRequirements: SecurityRequirements;
}

/** One row per operation, component, and set of reached components. Nothing is inlined. */
export function indexDocument(set: DocumentSet, limits: ImportLimits, _diagnostics: Diagnostics): DocumentIndex {
  const describer = new DocumentDescriber(set);
  const { components } = describer;
  const source = toSampleSource(components);
  const samples = new SampleMaker(source);
  const relations = new OperationRelations(source);
  const dependencySets = new DependencySets(components);
  const operations: OperationRow[] = [];
  const requirements = new RequirementCount();
  for (const operation of describer.operations()) {
    if (operations.length >= limits.operations) refuse(`The document has more than ${limits.operations} operations.`);
    components.complete();
    if (operation.kind === "operation") requirements.add(operation.described);
    samples.fill(operation);
    if (operation.kind === "operation") relations.add(operation.described, operations.length);
    operations.push(toRow(operation, operations.length, dependencySets));
  }
  return {
    describer,
    operations,
    components: components.list.map(({ reference, body }, ordinal) => ({ ordinal, reference, body })),
    dependencySets: dependencySets.rows,
    ...relations.finish(),
    securityRequirements: requirements.list(),
  };
}

function toRow(operation: IndexedOperation, position: number, dependencySets: DependencySets): OperationRow {
  const { described, kind } = operation;
  return {
    position,
    kind,
    operationId: described.operationId,
    path: described.path,
    method: described.method,
    summary: described.summary,
    tags: described.tags,
    deprecated: described.deprecated,
    responseStatuses: described.responseStatuses,
    described: JSON.stringify(described),
    securitySchemes: JSON.stringify(operation.securitySchemes),
    dependencySet: dependencySets.numberFor(operation.refersTo),
  };
}

/** Caches samples of whole components, which are requested repeatedly (error responses above all). */
class SampleMaker {
  readonly #made = new Map<string, { value: unknown } | undefined>();

  constructor(private readonly source: SampleSource) {}

  fill({ samplesWanted }: IndexedOperation): void {
    for (const { holder, schema, direction } of samplesWanted) {
      const sample = this.#make(schema, direction);
      if (!sample) continue;
      const { plain, text } = splitJson(sample.value as Json);
      holder.sample = plain;
      if (text !== undefined) holder.sampleJson = text;
    }
  }

  #make(schema: unknown, direction: Direction): { value: unknown } | undefined {
    const key = `${direction} ${JSON.stringify(schema)}`;
    if (key.length > 500) return makeSample(schema, direction, this.source);
    if (!this.#made.has(key)) this.#made.set(key, makeSample(schema, direction, this.source));
    return this.#made.get(key);
  }
}
