import type { ChangedField } from "#contracts/code/plans.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { DefinitionList } from "~/ui/definition-list/definition-list";

const maxCharacters = 200;

function write(value: unknown): string {
  if (value === undefined) return "not given";
  return shorten(JSON.stringify(value), maxCharacters);
}

/** What was changed in the portal, field by field. */
export function DriftedFields({ fields }: { fields: readonly ChangedField[] }) {
  return (
    <DefinitionList
      items={fields.map(({ path, before, after }) => ({
        term: path || "Everything",
        value: (
          <>
            <del>{write(before)}</del> → <ins>{write(after)}</ins>
          </>
        ),
      }))}
    />
  );
}
