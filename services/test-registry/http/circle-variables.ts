import { Problem } from "#contracts/kit/problem.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { findCircleErrors, retainsValue } from "../domain/circle-rules.ts";
import type { StoredVariable } from "../store/circle-settings.ts";
import type { CircleRow } from "../store/circles.ts";

type Owner = { organizationId: string; testCircleId: string };

export interface CircleVariables {
  /**
   * Variables as they are stored. Secret ones sent without a value keep that of the previous circle, or of the copied
   * one.
   */
  seal(owner: Owner, input: Pick<CircleInput, "name" | "variables">, before: CircleRow | undefined): StoredVariable[];
  /** With their values. */
  open(row: CircleRow): StoredVariable[];
}

/** Secret variables are encrypted at rest, each bound to its circle and name. */
export function createCircleVariables(vault: Vault): CircleVariables {
  const toSealContext = ({ organizationId, testCircleId }: Owner, name: string) => ({
    organizationId,
    record: `test_circles/${testCircleId}/${name}`,
  });

  function open(row: CircleRow): StoredVariable[] {
    const owner = { organizationId: row.organization_id, testCircleId: row.id };
    return row.variables.map((variable) => {
      const { name, value, secret, reference } = variable;
      return secret && !reference ? { name, value: vault.open(value, toSealContext(owner, name)), secret } : variable;
    });
  }

  return {
    open,
    seal(owner, input, before) {
      const stored = new Map(
        before
          ? open(before).flatMap(({ name, value, secret, reference }) => (secret && !reference ? [[name, value]] : []))
          : [],
      );
      const errors = findCircleErrors(input, new Set(stored.keys()));
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      return input.variables.map((variable) => {
        const { name, secret, reference } = variable;
        if (reference) return { name, value: "", secret, reference };
        const value = retainsValue(variable) ? stored.get(name)! : variable.value!;
        return { name, value: secret ? vault.seal(value, toSealContext(owner, name)) : value, secret };
      });
    },
  };
}
