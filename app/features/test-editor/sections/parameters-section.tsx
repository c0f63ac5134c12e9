import type { EditedOperation } from "../editor-props.ts";
import { type EditorForm, listNames } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { PairRows } from "./pair-rows.tsx";
import { PathParameters } from "./path-parameters.tsx";

interface SectionProps {
  form: EditorForm;
  operation: EditedOperation;
}

/** Values in the path, the query and cookies. */
export function ParametersSection({ form, operation }: SectionProps) {
  const { pathParameters, query, cookies } = form.getFieldset().request.getFieldset();
  const lists = [pathParameters, query, cookies];
  const rows = lists.flatMap((list) => list.getFieldList());
  return (
    <EditorSection
      form={form}
      id="parameters"
      title="Parameters"
      count={rows.length}
      brief={listNames(rows)}
      holds={lists.map(({ name }) => name)}
      filled={rows.length > 0}
    >
      <PathParameters form={form} field={pathParameters} operation={operation} />
      <PairRows
        form={form}
        field={query}
        legend="Query parameters"
        noun="query parameter"
        part="query"
        documented={documentedIn("query", operation)}
      />
      <PairRows
        form={form}
        field={cookies}
        legend="Cookies"
        noun="cookie"
        part="cookie"
        documented={documentedIn("cookie", operation)}
      />
    </EditorSection>
  );
}

export function HeadersSection({ form, operation }: SectionProps) {
  const { headers } = form.getFieldset().request.getFieldset();
  const rows = headers.getFieldList();
  return (
    <EditorSection
      form={form}
      id="headers"
      title="Headers"
      count={rows.length}
      brief={listNames(rows)}
      holds={[headers.name]}
      filled={rows.length > 0}
    >
      <PairRows
        form={form}
        field={headers}
        legend="Headers"
        legendHidden
        noun="header"
        part="header"
        documented={documentedIn("header", operation)}
      />
    </EditorSection>
  );
}

const documentedIn = (place: string, { parameters }: EditedOperation) =>
  parameters.filter((parameter) => parameter.in === place);
