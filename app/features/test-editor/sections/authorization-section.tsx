import { useContext } from "react";
import { NeedLink } from "~/features/authentication/need-link";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import type { EditorContext } from "../editor-props.ts";
import { type EditorForm, JustChanged, textProps } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";
import * as panels from "./panels.css";
import { CellLabel, RowCells } from "./row-cells.tsx";

const kinds = [
  { value: "inherit", label: "Inherit", hint: "The credentials stored for the host the request goes to." },
  { value: "credentials", label: "Specific credentials", hint: "Only the credentials selected here." },
  { value: "none", label: "None", hint: "No credentials are sent." },
];

/** The authorization of the request. Secrets are never displayed, only the names of credentials. */
export function AuthorizationSection({ form, context }: { form: EditorForm; context: EditorContext }) {
  const justChanged = useContext(JustChanged);
  const authorization = form.getFieldset().request.getFieldset().authorization.getFieldset();
  const { bindings } = authorization;
  const { securitySchemes, security } = context.operation;
  const chosen = authorization.kind.value ?? "inherit";
  return (
    <EditorSection
      form={form}
      id="authorization"
      title="Authorization"
      brief={kinds.find(({ value }) => value === chosen)?.label}
      description={securityInWords(security)}
      holds={["request.authorization"]}
      filled={chosen !== "inherit" || context.need !== undefined}
    >
      <Stack gap="large" className={panels.switching}>
        <RadioGroup
          label="Authorization of the request"
          labelHidden
          options={kinds}
          {...textProps(authorization.kind)}
          defaultValue={textProps(authorization.kind).defaultValue || "inherit"}
        />
        {context.need && <NeedLink apiId={context.apiId} need={context.need} mayStore={context.mayStore} />}
        <div className={panels.panel.credentials}>
          <RepeatedRows
            id={bindings.id}
            look="label"
            dense
            legend="Credentials"
            errors={bindings.errors}
            autoFocus={justChanged === bindings.name || undefined}
            addLabel="Add credential"
            add={form.insert.getButtonProps({
              name: bindings.name,
              defaultValue: { schemeName: security[0]?.[0] ?? "", credentialId: "" },
            })}
            empty={
              context.credentials.length === 0 ? "No credentials yet. An administrator can add one." : "None chosen"
            }
            rows={bindings.getFieldList().map((row, index) => {
              const cells = row.getFieldset();
              const says = `credential ${index + 1}`;
              return {
                key: row.key ?? row.name,
                removeLabel: `Remove credential ${index + 1}`,
                remove: form.remove.getButtonProps({ name: bindings.name, index }),
                fields: (
                  <RowCells look="two">
                    <Select
                      label={<CellLabel row={says} cell="security scheme" />}
                      options={withCurrent(
                        securitySchemes.map(({ name, label }) => ({ value: name, label })),
                        textProps(cells.schemeName).defaultValue,
                      )}
                      placeholder="None from the document"
                      autoFocus={justChanged === row.name || undefined}
                      {...textProps(cells.schemeName)}
                    />
                    <Select
                      label={<CellLabel row={says} cell="credential" />}
                      options={withCurrent(
                        context.credentials.map(({ id, label }) => ({ value: id, label })),
                        textProps(cells.credentialId).defaultValue,
                      )}
                      placeholder="Choose a credential"
                      {...textProps(cells.credentialId)}
                    />
                  </RowCells>
                ),
              };
            })}
          />
        </div>
      </Stack>
    </EditorSection>
  );
}

/** A deleted credential stays selected until it is changed; otherwise saving would replace it silently. */
function withCurrent(options: { value: string; label: string }[], current: string) {
  if (!current || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: `${current} (no longer there)` }];
}

function securityInWords(alternatives: string[][]): string | undefined {
  if (alternatives.length === 0) return undefined;
  const words = alternatives.map((names) =>
    names.length === 0 ? "nothing" : names.map((name) => `“${name}”`).join(" and "),
  );
  return `This operation requires ${words.join(", or ")}.`;
}
