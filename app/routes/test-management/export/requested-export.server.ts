import type { ExportFormat, TestExport } from "#contracts/test-registry/test-exports.ts";
import { required } from "~/backend/responses";
import { isExportFormat } from "~/features/export/formats";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import type { Viewer } from "~/session/guards";
import { selectedField } from "~/ui/selection/selected-field";

/** Ids of what is exported; with none of them all enabled tests of the API. */
export interface ExportSelection {
  testId?: string;
  testCircleId?: string;
  /** Ticked tests. */
  selected: string[];
}

export interface RequestedExport {
  apiId: string;
  format: ExportFormat;
  selection: ExportSelection;
}

export function readExport(request: Request, apiId: string): RequestedExport {
  const search = new URL(request.url).searchParams;
  const format = search.get("format");
  return {
    apiId,
    format: isExportFormat(format) ? format : "postman",
    selection: {
      testId: search.get("testId") || undefined,
      testCircleId: search.get("testCircleId") || undefined,
      selected: search.getAll(selectedField).filter(Boolean),
    },
  };
}

/** The query of a page of this export. */
export function toSearchParams({ testId, testCircleId, selected }: ExportSelection): [string, string][] {
  return [
    ...(testId ? ([["testId", testId]] as [string, string][]) : []),
    ...(testCircleId ? ([["testCircleId", testCircleId]] as [string, string][]) : []),
    ...selected.map((id): [string, string] => [selectedField, id]),
  ];
}

/** With the environment that the viewer works with; a circle has its own ones. */
export async function makeExport(
  viewer: Viewer,
  { apiId, format, selection: { testId, testCircleId, selected } }: RequestedExport,
): Promise<TestExport> {
  const { testRegistry } = viewer.backend;
  if (testCircleId) return required(await testRegistry.exportCircle({ params: { testCircleId }, query: { format } }));
  const environment = (await findEnvironmentInUse(viewer, apiId))?.name;
  if (testId) return required(await testRegistry.exportTest({ params: { testId }, query: { format, environment } }));
  const testIds = selected.length > 0 ? selected : undefined;
  return required(await testRegistry.exportTests({ params: { apiId }, body: { format, environment, testIds } }));
}
