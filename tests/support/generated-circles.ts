import { expect } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "./form-page.ts";
import { openHandledPortal } from "./handled-portal.ts";
import { startLifeApi } from "./life-api.ts";
import { startTargetApi } from "./target-api.ts";

/** A portal, and a library whose circles can be generated. */
export async function openCircleGeneration() {
  const [portal, targetApi, library] = await Promise.all([openHandledPortal(), startTargetApi(), startLifeApi()]);
  const visitor = await portal.signIn();
  const credential = {
    ...{ name: "Key of the library", domain: new URL(library.origin).host, type: "apiKey" as const },
    ...{ settings: { in: "header" as const, parameterName: "X-API-Key" }, secret: library.key },
  };
  requireValue(await portal.backend.securityService.createCredential({ body: credential }), "credential");

  async function register(source: { url: string } | { document: string }): Promise<string> {
    return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source } }), "registering").id;
  }

  async function listCircles(apiId: string) {
    const { items } = requireValue(
      await portal.backend.testRegistry.listCircles({ query: { apiId, limit: 200 } }),
      "list",
    );
    return items;
  }

  /** Waits for the verdicts of this many runs. */
  async function ended(apiId: string, count: number): Promise<string[]> {
    const listRuns = async () =>
      requireValue(await portal.backend.testExecutioner.listRuns({ query: { apiId } }), "runs").items;
    await expect
      .poll(async () => (await listRuns()).filter(({ verdict }) => verdict !== null).length, { timeout: 30_000 })
      .toBe(count);
    return (await listRuns()).map(({ verdict }) => String(verdict));
  }

  return {
    ...{ portal, targetApi, library, visitor, register, listCircles, ended },
    registerLibrary: () => register({ url: library.documentUrl }),
    /** The page that generates tests. */
    make: (apiId: string, search = "") => visitor.open(`/test-management/${apiId}/tests/make${search}`),
    getNames: async (apiId: string) => (await listCircles(apiId)).map(({ name }) => name),
    async stop() {
      await portal.stop();
      await targetApi.stop();
      await library.stop();
    },
  };
}

/** Names of the circles with a box, and whether it is ticked. */
export function getBoxes({ html }: FormPage): Record<string, boolean> {
  const boxes = [...html.matchAll(/(<input[^>]*name="circle"[^>]*>)<label[^>]*>(?:<div[^>]*>)?([^<]*)/g)];
  return Object.fromEntries(boxes.map(([, box, name]) => [name!, box!.includes('checked=""')]));
}
export const getTicked = (page: FormPage) => Object.entries(getBoxes(page)).flatMap(([name, on]) => (on ? name : []));

/** The values of their boxes. */
export function keysOf({ html }: FormPage, ...names: string[]): string[] {
  return names.map((name) => {
    const found = new RegExp(`value="([^"]*)"[^>]*>(?=<label[^>]*>(?:<div[^>]*>)?${name}<)`).exec(html);
    return found![1]!;
  });
}
