import { OperationName } from "~/features/operation/operation-name";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { Row } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { effectField } from "./circle-draft";
import * as styles from "./member-rows.css";

export interface MemberRow {
  key: string;
  /** Value of its hidden field. */
  value: string;
  name: string;
  operation?: { method: string; path: string };
  detail?: string;
  phase: string;
  isAbsent: boolean;
  isDisabled?: boolean;
  gives: readonly string[];
  uses: readonly { name: string; givenBy: string; position: number | null }[];
  /** Of a named test that may change something; empty without one. */
  effect?: string;
  canMake?: boolean;
  effectErrors?: string[];
  /** Why it would end blocked. */
  notSent?: string;
}

const phaseNames = [
  { value: "setUp", label: "Set-up" },
  { value: "main", label: "Main" },
  { value: "tearDown", label: "Tear-down" },
] as const;

const effects = [
  { value: "makes", label: "Creates something new" },
  { value: "allowed", label: "May change anything" },
] as const;

/** A circle's members: reordered by their buttons, which the server handles, or by the island `circle-members`. */
export function MemberRows({ rows }: { rows: readonly MemberRow[] }) {
  return (
    <>
      <ol className={styles.rows} aria-label="Tests in their order">
        {rows.map((row, index) => (
          <MemberItem key={row.key} row={row} index={index} count={rows.length} />
        ))}
      </ol>
      <div role="status" data-notice className={styles.hiddenStatus} />
    </>
  );
}

function MemberItem({ row, index, count }: { row: MemberRow; index: number; count: number }) {
  const { value, name, operation, detail, phase, isAbsent, isDisabled, gives, uses, notSent } = row;
  return (
    <li className={styles.row} data-member={name}>
      <input type="hidden" name="member" value={value} />
      <span className={styles.handle} data-handle hidden>
        <Icon name="more" />
      </span>
      <span className={styles.number} data-number>
        {index + 1}
      </span>
      <div className={styles.words}>
        <Row gap="tiny">
          <strong>{name}</strong>
          {isAbsent && <Badge tone="danger">Missing</Badge>}
          {isDisabled && <Badge icon="pause">Disabled: does not run</Badge>}
          {notSent && <Badge tone="warning">Would be blocked</Badge>}
        </Row>
        <Row gap="small" className={styles.detail}>
          {operation && <OperationName {...operation} />}
          {detail && <span>{detail}</span>}
        </Row>
        {(gives.length > 0 || uses.length > 0) && (
          <Row gap="tiny">
            {gives.map((given) => (
              <Badge key={given} icon="arrow-right">
                captures {given}
              </Badge>
            ))}
            {uses.map((used) => (
              <Badge key={used.name} icon={null} tone={used.givenBy === "nobody" ? "warning" : "neutral"}>
                {used.givenBy === "nobody" ? `${used.name}: no value` : `uses ${used.name} of ${used.position}`}
              </Badge>
            ))}
          </Row>
        )}
        {notSent && <p className={styles.detail}>{notSent}</p>}
        <EffectField row={row} index={index} />
      </div>
      <Select
        label={`Phase of ${name}`}
        labelHidden
        name="phase"
        id={`phase-${index}`}
        defaultValue={phase}
        width="short"
        className={styles.phase}
        options={phaseNames}
      />
      <Row gap="tiny" className={styles.buttons}>
        <MoveButton to={index - 1} {...{ index, count, name }} />
        <MoveButton to={index + 1} {...{ index, count, name }} />
        <Button
          formNoValidate
          name="intent"
          value={`remove:${index}`}
          variant="quiet"
          size="small"
          icon="trash"
          labelHidden
          title={`Remove ${name}`}
        >
          {`Remove ${name}`}
        </Button>
      </Row>
    </li>
  );
}

function EffectField({ row: { name, effect, canMake, effectErrors }, index }: { row: MemberRow; index: number }) {
  if (effect === undefined) return null;
  return (
    <div className={styles.effect} data-refused={effectErrors && ""}>
      <Select
        label={`What ${name} changes`}
        labelHidden
        name={effectField(index)}
        id={`circle-members[${index}].effect`}
        defaultValue={effect}
        placeholder="Changes only what the run created"
        required={false}
        errors={effectErrors}
        options={effects.filter(({ value }) => value !== "makes" || canMake || effect === "makes")}
      />
    </div>
  );
}

function MoveButton({ index, to, count, name }: { index: number; to: number; count: number; name: string }) {
  const up = to < index;
  const label = `Move ${name} ${up ? "up" : "down"}`;
  return (
    <Button
      formNoValidate
      name="intent"
      value={`move:${index}:${to}`}
      data-move={up ? "up" : "down"}
      variant="quiet"
      size="small"
      icon={up ? "chevron-up" : "chevron-down"}
      labelHidden
      title={label}
      disabled={to < 0 || to >= count}
    >
      {label}
    </Button>
  );
}
