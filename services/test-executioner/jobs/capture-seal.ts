import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { CapturedValue } from "../store/captures.ts";

interface Place {
  organization_id: string;
  run_id: string;
}

export interface CaptureSeal {
  close(run: Place, capture: OpenCapture): CapturedValue;
  open(run: Place, capture: CapturedValue): OpenCapture;
}

/** Secret captures are sealed at rest, each bound to its run and name. */
export function createCaptureSeal(vault: Vault): CaptureSeal {
  const placeOf = (run: Place, name: string) => ({
    organizationId: run.organization_id,
    record: `run_captures/${run.run_id}/${name}`,
  });
  return {
    close: (run, { name, isSecret, value }) => ({
      name,
      isSecret,
      // A text column can't contain NUL, which a response may.
      value: isSecret ? vault.seal(value, placeOf(run, name)) : value.replaceAll("\0", ""),
    }),
    open: (run, { name, isSecret, value }) => ({
      name,
      isSecret,
      value: isSecret ? vault.open(value, placeOf(run, name)) : value,
    }),
  };
}
