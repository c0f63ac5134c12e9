import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem, type ProblemDetails } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { ImportPlan, PlannedCredential } from "../domain/imports/plan.ts";
import type { ImportCall } from "./import-plans.ts";

/** A credential whose name is taken gets another one. */
const maxNames = 20;

const toProblem = ({ code, detail, errors, limit, used }: ProblemDetails, path: string) =>
  new Problem(code, detail, { limit, used, errors: errors?.map(({ message }) => ({ path, message })) });

export interface StoredCredential {
  id: string;
  name: string;
  domain: string;
  isNew: boolean;
}

/** What an import creates in other services, each with the step that takes it back. */
export class ImportSurroundings {
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(
    readonly call: ImportCall,
    readonly parts: {
      apiRegistry: Connect<typeof apiRegistryContract>;
      securityService: Connect<typeof securityServiceContract>;
      serviceToken: IssueServiceToken;
    },
  ) {}

  /** In the caller's name, who needs the permission. */
  async registerApi(document: string, name: string): Promise<{ id: string; name: string }> {
    const registry = this.parts.apiRegistry({ token: this.call.caller.token, requestId: this.call.requestId });
    const registered = await registry.registerApi({ body: { name, source: { document, fileName: "openapi.json" } } });
    if (!registered.ok) throw toProblem(registered.problem, "source");
    const { id } = registered.value;
    this.#undo.push(() => registry.deleteApi({ params: { apiId: id } }));
    return { id, name: registered.value.name };
  }

  /** In the caller's name. */
  async storeCredentials(
    planned: readonly PlannedCredential[],
    onStored: (credential: PlannedCredential, id: string) => Promise<void>,
  ) {
    const security = this.parts.securityService({ token: this.call.caller.token, requestId: this.call.requestId });
    const stored: StoredCredential[] = [];
    for (const { knownId, ...credential } of planned) {
      if (knownId !== undefined) {
        stored.push({ id: knownId, name: credential.name, domain: credential.domain, isNew: false });
        continue;
      }
      for (let count = 1; ; count += 1) {
        const name = count === 1 ? credential.name : `${credential.name} (${count})`;
        const created = await security.createCredential({ body: { ...credential, name } });
        if (!created.ok && created.status === 409 && count < maxNames) continue;
        if (!created.ok) {
          const problem = toProblem(created.problem, "source");
          const said = created.problem.errors?.map(({ message }) => message).join(" ") ?? created.problem.detail;
          const errors = [{ path: "source", message: `The credential ${name} can't be stored: ${said}` }];
          throw created.status === 422 ? new Problem("invalid_input", undefined, { errors }) : problem;
        }
        const { id, domain } = created.value;
        this.#undo.push(() => security.deleteCredential({ params: { credentialId: id } }));
        stored.push({ id, name: created.value.name, domain, isNew: true });
        await onStored(credential, id);
        break;
      }
    }
    return stored;
  }

  async setVariables(
    apiId: string,
    { variables, secretVariables }: Pick<ImportPlan, "variables" | "secretVariables">,
  ): Promise<void> {
    if (Object.keys(variables).length + secretVariables.length === 0) return;
    const { caller, requestId } = this.call;
    const before = this.parts.apiRegistry({ token: await this.parts.serviceToken(caller.organizationId), requestId });
    const known = await before.getVariables({ params: { apiId } });
    if (!known.ok) throw toProblem(known.problem, "source");
    const registry = this.parts.apiRegistry({ token: caller.token, requestId });
    const set = await registry.setVariables({ params: { apiId }, body: { variables, secretVariables } });
    if (!set.ok) throw toProblem(set.problem, "source");
    const body = { variables: known.value.variables, secretVariables: known.value.secretVariables };
    this.#undo.push(() => before.replaceVariables({ params: { apiId }, body }));
  }

  /** Takes everything back, the last first. */
  async undo(): Promise<void> {
    for (const step of this.#undo.reverse()) await step();
    this.#undo.length = 0;
  }
}
