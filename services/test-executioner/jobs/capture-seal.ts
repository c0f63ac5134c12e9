import { parseJson } from "#libraries/json/parse-json.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { CapturedValue } from "../store/captures.ts";

interface Place {
  organization_id: string;
  run_id: string;
}

export interface CaptureSeal {
  close(run: Place, capture: OpenCapture): CapturedValue;
  /** @param unique names of variables that the run generated with a UUID */
  open(run: Place, capture: CapturedValue, unique?: readonly string[]): OpenCapture;
}

/** Secret captures are sealed at rest, each bound to its run and name. */
export function createCaptureSeal(vault: Vault): CaptureSeal {
  const placeOf = (run: Place, name: string) => ({
    organizationId: run.organization_id,
    record: `run_captures/${run.run_id}/${name}`,
  });
  return {
    close(run, { name, isSecret, madeAt, isUnique, isAbsent, ...capture }) {
      if (isAbsent) return { name, isSecret: false, ...nothing };
      const { value, type } = toStorable(capture);
      return {
        ...{ name, isSecret, value: isSecret ? vault.seal(value, placeOf(run, name)) : value, type, madeAt },
        // It stays the run's own, whichever member sent it.
        ...(isUnique ? { position: 0 } : {}),
      };
    },
    open(run, { name, isSecret, value, type, madeAt, position }, unique = []) {
      if (isNothing({ value, type })) return { name, isSecret, value, isAbsent: true };
      const opened = isSecret ? vault.open(value, placeOf(run, name)) : value;
      return {
        ...{ name, isSecret, ...fromStorable({ value: opened, type }) },
        ...(madeAt === undefined ? {} : { madeAt }),
        ...(position === 0 && unique.includes(name) ? { isUnique: true } : {}),
      };
    },
  };
}

/** How the absence of a value is stored: JSON text is never empty. */
const nothing = { value: "", type: "json" } as const;

export function isNothing({ value, type }: Pick<CapturedValue, "value" | "type">): boolean {
  return type === nothing.type && value === nothing.value;
}

type Typed = Pick<OpenCapture, "value" | "type">;

/** NUL and half a surrogate pair, which no text column holds; JSON escapes them. */
const unstorable = /[\0\p{Surrogate}]/u;

function toStorable({ value, type }: Typed): Typed {
  return unstorable.test(value) ? { value: JSON.stringify(value), type: "json" } : { value, type };
}

function fromStorable({ value, type }: Typed): Typed {
  if (type !== "json" || !value.startsWith('"')) return { value, type };
  return { value: String(parseJson(value)), type: "string" };
}
