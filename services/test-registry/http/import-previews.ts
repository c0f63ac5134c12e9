import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ImportPreview } from "#contracts/test-registry/imports.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { ImportPlan } from "../domain/imports/plan.ts";
import type { ImportFiles } from "./import-files.ts";
import { mayStoreCredentials, type PlanImport } from "./import-plans.ts";

/** A plan as its caller may see it: without secrets. */
function toPreview(plan: ImportPlan): Omit<ImportPreview, "storesCredentials" | "draft" | "api"> {
  const { format, name, environments, requests, circles, credentials, variables, apiEnvironments, losses } = plan;
  return {
    ...{ format, name, environments, requests, variables, losses },
    circles: circles.map((circle) => ({
      id: circle.id,
      name: circle.name,
      members: circle.requests.length,
      state: circle.state,
    })),
    apiEnvironments: apiEnvironments.map(({ id, name: named, baseUrl, variables: own, secrets, state }) => ({
      ...{ id, name: named, baseUrl, variables: Object.keys(own), secretVariables: Object.keys(secrets), state },
    })),
    credentials: credentials.map(({ name: named, domain, type, knownId }, position) => ({
      ...{ name: named, domain, type, isNew: knownId === undefined },
      tests: plan.tests.filter((test) => test.credentials.includes(position)).length,
    })),
    secretApiVariables: plan.secretVariables.map(({ name }) => name),
    secretVariables: [...new Set(circles.flatMap((circle) => circle.variables.map((variable) => variable.name)))],
  };
}

/** Creates the handler that shows what an import would do. */
export function createImportPreviewHandlers(parts: {
  files: ImportFiles;
  planImport: PlanImport;
}): Pick<Handlers<typeof testRegistryContract>, "previewImport"> {
  return {
    async previewImport({ caller, body, requestId }) {
      const { organizationId } = caller;
      const { files, chosen } = await parts.files.read(organizationId, body.source);
      const { plan, api = null } = await parts.planImport({ caller, requestId }, body, chosen);
      const draft = body.keep ? await parts.files.keep(organizationId, files) : undefined;
      return { ...toPreview(plan), api, storesCredentials: mayStoreCredentials(caller), ...(draft ? { draft } : {}) };
    },
  };
}
