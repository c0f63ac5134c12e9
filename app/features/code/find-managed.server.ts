import type { CodeKind } from "#contracts/code/objects.ts";
import type { ManagedObject } from "#contracts/code/parts.ts";
import type { Viewer } from "~/session/guards";

/** How files of a repository hold an object; undefined where none does, and where that can't be read. */
export async function findManaged(
  viewer: Viewer,
  kind: CodeKind,
  objectId: string,
): Promise<ManagedObject | undefined> {
  if (!viewer.may("tests:read")) return undefined;
  const found = await viewer.backend.testRegistry.getManagedObject({ params: { kind, objectId } });
  return found.ok ? (found.value.managed ?? undefined) : undefined;
}
