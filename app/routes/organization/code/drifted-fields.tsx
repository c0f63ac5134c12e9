import type { ChangedField } from "#contracts/code/plans.ts";
import { DefinitionList } from "~/ui/definition-list/definition-list";

const maxCharacters = 200;

function write(value: unknown): string {
  if (value === undefined) return "not given";
  const text = JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
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
